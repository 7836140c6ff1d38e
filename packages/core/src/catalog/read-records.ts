import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { at } from "../kernel/arrays.js";
import { pageQuery, queryFlag, SIZES } from "../kernel/fields.js";
import { foldForSearch } from "../kernel/fold-for-search.js";
import { cursorPaginationOf, pageStartOf } from "../kernel/list-query.js";
import { notFound, type Problem } from "../kernel/problem.js";
import type { CatalogKind } from "./catalog-commits.js";
import { CATALOG_SORTS } from "./catalog-store.js";
import { decodeRecordCursor, MAX_CURSOR } from "./record-order.js";
import type { CatalogContext, RecordList, RecordView, Resource } from "./resource.js";

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

/** One record. Errors: not-found, also for a deleted record and for one of another business. */
export async function getRecord<K extends CatalogKind, V extends RecordView>(
  context: CatalogContext,
  actor: Actor,
  { kind, present }: Resource<K, V>,
  id: string,
): Promise<Result<V, Problem>> {
  const record = await context.store.findRecord(kind, actor.businessId, id);
  if (record === null || record.deletedAt !== null) return err(notFound(kind, id));
  return ok(at(await present(context, [record]), 0));
}

/** One page of the records of a kind. Errors: 400 for a cursor of another order. */
export async function listRecords<K extends CatalogKind, V extends RecordView>(
  context: CatalogContext,
  actor: Actor,
  { kind, present }: Resource<K, V>,
  input: ListRecordsInput,
): Promise<Result<RecordList<V>, Problem>> {
  const start = pageStartOf(input, (cursor) => decodeRecordCursor(cursor, input));
  if (start.isErr()) return err(start.error);
  const { page, position } = start.value;
  const { limit, sort, order, includeDeleted } = input;
  const search = input.search === undefined ? null : foldForSearch(input.search);
  const query = { includeDeleted, search, sort, order, limit, position };
  const found = await context.store.listRecords(kind, actor.businessId, query);
  return ok({
    data: await present(context, found.entries),
    pagination: cursorPaginationOf(page, input, found),
  });
}
