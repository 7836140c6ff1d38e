import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { at } from "../kernel/at.js";
import { pageQuery, queryFlag, SIZES } from "../kernel/fields.js";
import { paginationOf } from "../kernel/page.js";
import { invalid, notFound, type Problem } from "../kernel/problem.js";
import { foldForSearch } from "../kernel/search-text.js";
import type { CatalogContext } from "./catalog-context.js";
import { CATALOG_SORTS, type CatalogPosition } from "./catalog-store.js";
import type { CatalogRecord } from "./record.js";
import { decodeRecordCursor, encodeRecordCursor, MAX_CURSOR } from "./record-order.js";
import type { RecordList, RecordView, Resource } from "./resource.js";

/** Query parameters of a list of customers, products or packages, as text. */
export const listRecordsSchema = z.object({
  ...pageQuery,
  search: z.string().min(1).max(SIZES.search).optional(),
  sort: z.enum(CATALOG_SORTS).default("createdAt"),
  order: z.enum(["asc", "desc"]).default("desc"),
  includeDeleted: queryFlag,
  cursor: z
    .string()
    .max(MAX_CURSOR)
    .optional()
    .describe("The nextCursor of the page before; page beside it is ignored."),
});
export type ListRecordsInput = z.output<typeof listRecordsSchema>;

/** One record. Errors: not-found, for a deleted one and for another business's too. */
export async function getRecord<R extends CatalogRecord, V extends RecordView>(
  context: CatalogContext,
  actor: Actor,
  { port, name, present }: Resource<R, V>,
  id: string,
): Promise<Result<V, Problem>> {
  const record = await port.find(context.store, actor.businessId, id);
  if (record === null || record.deletedAt !== null) return err(notFound(name, id));
  return ok(at(await present(context, [record]), 0));
}

/** One page of the business's records of a kind. Errors: 400 for a cursor of another order. */
export async function listRecords<R extends CatalogRecord, V extends RecordView>(
  context: CatalogContext,
  actor: Actor,
  { port, present }: Resource<R, V>,
  input: ListRecordsInput,
): Promise<Result<RecordList<V>, Problem>> {
  const { limit, sort, order, includeDeleted } = input;
  const cursor = input.cursor === undefined ? null : decodeRecordCursor(input.cursor, input);
  if (input.cursor !== undefined && cursor === null) {
    return err(invalid("cursor", "INVALID_VALUE", "must be the nextCursor of a list with the same sort and order"));
  }
  const page = cursor?.page ?? input.page;
  const position: CatalogPosition =
    cursor === null ? { kind: "offset", offset: (page - 1) * limit } : { kind: "after", key: cursor.key };
  const search = input.search === undefined ? null : foldForSearch(input.search);
  const query = { includeDeleted, search, sort, order, limit, position };
  const found = await port.list(context.store, actor.businessId, query);
  const nextCursor = found.nextCursor === null ? null : encodeRecordCursor(found.nextCursor, page + 1, input);
  return ok({
    data: await present(context, found.entries),
    pagination: { ...paginationOf({ page, limit }, found), nextCursor },
  });
}
