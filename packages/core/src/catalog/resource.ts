import type { Result } from "neverthrow";
import { z } from "zod";
import type { DomainEvent } from "../events/event.js";
import type { Receipt } from "../idempotency/idempotency-store.js";
import { cursorPaginationSchema, timestampView } from "../kernel/fields.js";
import type { CursorPagination, Page } from "../kernel/page.js";
import type { Problem } from "../kernel/problem.js";
import type { CatalogContext } from "./catalog-context.js";
import type { CatalogQuery, CatalogStore, RecordInsertOutcome, RecordReplaceOutcome, Taken } from "./catalog-store.js";
import type { CatalogRecord, RecordBase } from "./record.js";

/** The members that every view has. */
export const recordViewFields = {
  id: z.string(),
  version: z.int().describe("Grows by one with each write; the ETag names it."),
  createdAt: timestampView,
  updatedAt: timestampView,
  deletedAt: timestampView.optional().describe("Only on a deleted one, in a list."),
};

/** A record as it is answered. */
export interface RecordView {
  readonly id: string;
  readonly version: number;
  readonly deletedAt?: string | undefined;
}

export interface RecordList<V> {
  readonly data: V[];
  readonly pagination: CursorPagination;
}

/** The schema of a list's answer. */
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

/** The part of the port that keeps records of one kind. */
interface RecordPort<R extends CatalogRecord> {
  insert(store: CatalogStore, record: R, events: Events, receipt: Receipt | null): Promise<RecordInsertOutcome>;
  replace(
    store: CatalogStore,
    record: R,
    expectedVersion: number,
    events: Events,
    receipt: Receipt | null,
  ): Promise<RecordReplaceOutcome>;
  find(store: CatalogStore, businessId: string, id: string): Promise<R | null>;
  list(store: CatalogStore, businessId: string, query: CatalogQuery): Promise<Page<R>>;
}

type Events = readonly DomainEvent[];

/** What a request may say when it makes a record: among other things, the id. */
export type CreateSchema = z.ZodType<{ readonly id?: string | undefined }>;

/** One kind of record: where it is kept, what is read of a request, what is answered, and its own rules. */
export interface Resource<
  R extends CatalogRecord = CatalogRecord,
  V extends RecordView = RecordView,
  C extends CreateSchema = CreateSchema,
  U extends z.ZodType = z.ZodType,
> {
  readonly name: "customer" | "product" | "package";
  /** The group of its events; null = nobody is told. Source: contract, Events. */
  readonly events: "customer" | "product" | null;
  readonly port: RecordPort<R>;
  readonly createSchema: C;
  readonly updateSchema: U;
  readonly viewSchema: z.ZodType<V>;
  /** The views of some records, in their order; one look-up for all where one is needed. */
  present(context: CatalogContext, records: readonly R[]): Promise<V[]>;
  /** A new record. Errors: those of the kind. */
  make(context: CatalogContext, base: RecordBase, input: z.output<C>): Promise<Result<R, Problem>>;
  /** A record with the changes of a request in it. Errors: those of the kind. */
  change(context: CatalogContext, current: R, input: z.output<U>): Promise<Result<R, Problem>>;
  /** The field of a request that holds the value which another record has. */
  fieldOf(record: R, taken: Taken): string;
}
