import type { Result } from "neverthrow";
import { z } from "zod";
import type { Taken } from "../commit/refusal.js";
import type { RunCommit } from "../commit/run-commit.js";
import { type Clock, toTimestamp } from "../kernel/clock.js";
import type { Rounding } from "../kernel/decimal.js";
import { cursorPaginationSchema, timestampView } from "../kernel/fields.js";
import type { IdSource } from "../kernel/ids.js";
import type { CursorPagination } from "../kernel/page.js";
import type { Problem } from "../kernel/problem.js";
import type { StorageQuota, StorageStore } from "../limits/storage-quota.js";
import type { CatalogKind, CatalogRecords, CatalogWrite } from "./catalog-commits.js";
import type { CatalogStore } from "./catalog-store.js";
import type { TaxedBusinesses } from "./line-defaults.js";
import type { CatalogRecord, RecordBase } from "./record.js";

export interface CatalogContext extends TaxedBusinesses {
  readonly store: CatalogStore & StorageStore;
  readonly commit: RunCommit<CatalogWrite>;
  /** The most that each business may store. */
  readonly quota: StorageQuota;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly rounding: Rounding;
}

/** The members that every view has. */
export const recordViewFields = {
  /** Assigned by the service or by the host. */
  id: z.string(),
  /** Grows by one with each write; the ETag names it. */
  version: z.int().describe("Grows by one with each write; the ETag names it."),
  /** ISO 8601, in UTC. */
  createdAt: timestampView,
  /** Of the last change. ISO 8601, in UTC. */
  updatedAt: timestampView,
  /** Only on a deleted one, in a list. */
  deletedAt: timestampView.optional().describe("Only on a deleted one, in a list."),
};

export interface RecordView {
  readonly id: string;
  readonly version: number;
  readonly deletedAt?: string | undefined;
}

/** The common members of all views, from the record. */
export function recordMembersOf({ id, version, createdAt, updatedAt, deletedAt }: CatalogRecord) {
  return {
    id,
    version,
    createdAt: toTimestamp(createdAt),
    updatedAt: toTimestamp(updatedAt),
    ...(deletedAt === null ? {} : { deletedAt: toTimestamp(deletedAt) }),
  };
}

export interface RecordList<V> {
  readonly data: V[];
  readonly pagination: CursorPagination;
}

export function recordListSchema<S extends z.ZodType>(view: S) {
  return z.object({ data: z.array(view), pagination: cursorPaginationSchema });
}

export const recordDeletionSchema = z
  .object({
    id: z.string(),
    status: z.literal("DELETED"),
    deletedAt: timestampView,
  })
  .meta({ id: "RecordDeletion" });
export type RecordDeletion = z.infer<typeof recordDeletionSchema>;

/** The input of a creation. It may choose the id. */
export type CreateSchema = z.ZodType<{ readonly id?: string | undefined }>;

/** One kind of record: its name, by which the port finds and writes its records, its schemas, its view and its rules. */
export interface Resource<
  K extends CatalogKind = CatalogKind,
  V extends RecordView = RecordView,
  C extends CreateSchema = CreateSchema,
  U extends z.ZodType = z.ZodType,
> {
  readonly kind: K;
  readonly createSchema: C;
  readonly updateSchema: U;
  readonly viewSchema: z.ZodType<V>;
  /** The views of the records, in their order. At most one look-up for all. */
  present(context: CatalogContext, records: readonly CatalogRecords[K][]): Promise<V[]>;
  /** Makes a new record. Errors: those of the kind. */
  make(context: CatalogContext, base: RecordBase, input: z.output<C>): Promise<Result<CatalogRecords[K], Problem>>;
  /** Applies the changes of a request. Errors: those of the kind. */
  change(
    context: CatalogContext,
    current: CatalogRecords[K],
    input: z.output<U>,
  ): Promise<Result<CatalogRecords[K], Problem>>;
  /** The field of the request that holds the taken value. */
  fieldOf(record: CatalogRecords[K], taken: Taken): string;
}
