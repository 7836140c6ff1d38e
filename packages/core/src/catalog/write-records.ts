import { err, ok, type Result } from "neverthrow";
import type { z } from "zod";
import type { Committed } from "../commit/commit.js";
import { matchCommitted } from "../commit/match-committed.js";
import { isTaken, type Taken } from "../commit/refusal.js";
import { makeAuditEntry } from "../events/audit-entry.js";
import type { AuditEntry, DomainEvent } from "../events/event.js";
import { isTooLarge } from "../events/event-changes.js";
import { auditedChange } from "../events/field-changes.js";
import { claimLost, refuseStaleVersion, type WriteOptions } from "../idempotency/write-options.js";
import type { Actor } from "../kernel/actor.js";
import { at } from "../kernel/arrays.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { brokenRule, notFound, type Problem } from "../kernel/problem.js";
import { retryOnConflict, STALE } from "../kernel/retry-on-conflict.js";
import { refuseWhenFull } from "../limits/storage-quota.js";
import { type CatalogKind, type CatalogRecords, recordCommit } from "./catalog-commits.js";
import { catalogEventOf, describeChange, type RecordChange, withoutCostsIn } from "./catalog-event.js";
import { checkSize } from "./record-size.js";
import type { CatalogContext, CreateSchema, RecordDeletion, RecordView, Resource } from "./resource.js";

/** A host that chooses ids may have taken many in a row. Each attempt skips twice as many ids as the one before. */
const ID_ATTEMPTS = 32;
const MAX_SKIPPED = 4_096;

/**
 * Adds a record with the id that the host chose, or with a new one. Errors: a conflict that names the field when another
 * record has the id or a unique value; those of checkSize and of the kind; QUOTA_EXCEEDED.
 */
export async function createRecord<K extends CatalogKind, V extends RecordView, C extends CreateSchema>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<K, V, C>,
  input: z.output<C>,
  options: WriteOptions = {},
): Promise<Result<V, Problem>> {
  const now = options.now ?? context.clock.now();
  const full = await refuseWhenFull(context.store, actor.businessId, context.quota);
  if (full !== null) return err(full);
  for (let attempt = 0; attempt < ID_ATTEMPTS; attempt += 1) {
    const id = input.id ?? (await newRecordId(context, actor.businessId, attempt));
    const made = await makeRecord(context, actor.businessId, resource, { ...input, id }, now);
    if (made.isErr()) return err(made.error);
    const record = made.value;
    const view = await presentOne(context, resource, record);
    const entries = await entriesOf(context, actor, resource, null, record);
    const commit = recordCommit(resource.kind, record, "absent", entries);
    const committed = await context.commit(commit, { claim: options.claim, result: view });
    const found = takenBy(committed);
    if (found === null) return matchCommitted(committed, { written: ok(view), "claim-lost": err(claimLost) });
    const isOurChoice = found.taken === "id" && input.id === undefined;
    if (!isOurChoice) return err(takenProblem(resource, record, found));
  }
  return err(busy(resource.kind));
}

/** A record that no commit has written yet. Errors: those of checkSize and of the kind. */
export async function makeRecord<K extends CatalogKind, C extends CreateSchema>(
  context: CatalogContext,
  businessId: string,
  resource: Resource<K, RecordView, C>,
  input: z.output<C> & { readonly id: string },
  now: Instant,
): Promise<Result<CatalogRecords[K], Problem>> {
  const base = { businessId, id: input.id, version: 1, createdAt: now, updatedAt: now, deletedAt: null };
  return (await resource.make(context, base, input)).andThen(checkSize);
}

/** A new id. Each attempt skips ids that the host may have chosen. */
export async function newRecordId(
  { ids }: Pick<CatalogContext, "ids">,
  businessId: string,
  attempt: number,
): Promise<string> {
  if (attempt === 0) return ids.next(businessId);
  const skipped = await ids.take(businessId, Math.min(2 ** attempt, MAX_SKIPPED));
  return at(skipped, skipped.length - 1);
}

/** Changes the given fields. Errors: those of changeRecord, of checkSize and of the kind; QUOTA_EXCEEDED. */
export function updateRecord<K extends CatalogKind, V extends RecordView, U extends z.ZodType>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<K, V, CreateSchema, U>,
  id: string,
  input: z.output<U>,
  options: WriteOptions = {},
): Promise<Result<V, Problem>> {
  return changeRecord(context, actor, resource, id, options, {
    decide: async (current) => (await resource.change(context, current, input)).andThen(checkSize),
    present: (record) => presentOne(context, resource, record),
    addsBytes: true,
  });
}

/** Soft delete: budgets still show the record, and it can be restored. Errors: those of changeRecord. */
export function deleteRecord<K extends CatalogKind>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<K>,
  id: string,
  options: WriteOptions = {},
): Promise<Result<RecordDeletion, Problem>> {
  return changeRecord(context, actor, resource, id, options, {
    decide: async (current, now) => ok({ ...current, deletedAt: now }),
    present: async ({ updatedAt }) => ({ id, status: "DELETED", deletedAt: toTimestamp(updatedAt) }),
  });
}

/**
 * Restores a deleted record. Errors: INVALID_TRANSITION for one that is not deleted; a conflict when another record has
 * its cuit or a sku by now; those of changeRecord; QUOTA_EXCEEDED.
 */
export function restoreRecord<K extends CatalogKind, V extends RecordView>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<K, V>,
  id: string,
  options: WriteOptions = {},
): Promise<Result<V, Problem>> {
  return changeRecord(context, actor, resource, id, options, {
    decide: async (current) => (current.deletedAt === null ? err(notDeleted(id)) : ok({ ...current, deletedAt: null })),
    present: (record) => presentOne(context, resource, record),
    meetsDeleted: true,
    addsBytes: true,
  });
}

interface Change<K extends CatalogKind, View> {
  decide(current: CatalogRecords[K], now: Instant): Promise<Result<CatalogRecords[K], Problem>>;
  present(record: CatalogRecords[K]): Promise<View>;
  readonly meetsDeleted?: boolean; // only restore changes deleted records
  readonly addsBytes?: boolean; // all but deletions: refused once the quota is used up
}

/**
 * Changes a record by compare-and-set, and decides again after a lost race.
 * Errors: not-found; stale when `expectedVersion` is not the stored version; those of the rule; a conflict when a unique
 * value is taken, or when every attempt loses.
 */
async function changeRecord<K extends CatalogKind, View>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<K>,
  id: string,
  options: WriteOptions,
  change: Change<K, View>,
): Promise<Result<View, Problem>> {
  const now = options.now ?? context.clock.now();
  return retryOnConflict(
    async () => {
      const current = await context.store.findRecord(resource.kind, actor.businessId, id);
      if (current === null || (current.deletedAt !== null && change.meetsDeleted !== true)) {
        return err(notFound(resource.kind, id));
      }
      const stale = refuseStaleVersion(resource.kind, current, options);
      if (stale !== null) return err(stale);
      const decided = await change.decide(current, now);
      if (decided.isErr()) return err(decided.error);
      const full = change.addsBytes ? await refuseWhenFull(context.store, actor.businessId, context.quota) : null;
      if (full !== null) return err(full);
      const record = { ...decided.value, version: current.version + 1, updatedAt: now };
      const entries = await entriesOf(context, actor, resource, current, record);
      const view = await change.present(record);
      const commit = recordCommit(resource.kind, record, current.version, entries);
      const committed = await context.commit(commit, { claim: options.claim, result: view });
      const found = takenBy(committed);
      if (found !== null) return err(takenProblem(resource, record, found));
      return matchCommitted(committed, { written: ok(view), stale: STALE, "claim-lost": err(claimLost) });
    },
    () => busy(resource.kind),
  );
}

async function presentOne<K extends CatalogKind, V extends RecordView>(
  context: CatalogContext,
  resource: Resource<K, V>,
  record: CatalogRecords[K],
): Promise<V> {
  return at(await resource.present(context, [record]), 0);
}

/** What a change leaves in the ledger: an event, or an audit entry where the contract has no events of the kind. */
interface Entries {
  readonly events: readonly DomainEvent[];
  readonly audit: readonly AuditEntry[];
}

/** `before` is null for a new record. */
export async function entriesOf<K extends CatalogKind>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<K>,
  before: CatalogRecords[K] | null,
  record: CatalogRecords[K],
): Promise<Entries> {
  const views = {
    before: before === null ? null : { ...(await presentOne(context, resource, before)) },
    after: record.deletedAt === null ? { ...(await presentOne(context, resource, record)) } : null,
  };
  const now = record.updatedAt;
  const described = describeChange(views, record, now);
  if (described === null) return { events: [], audit: [] };
  if (resource.kind === "package") {
    const { act, change } = described;
    const audited = { type: `package.${act}`, subjectId: record.id, now, change, data: changesOf(views) } as const;
    return { events: [], audit: [await makeAuditEntry(context.ids, actor, audited)] };
  }
  const id = await context.ids.next(actor.businessId);
  return { events: [catalogEventOf(resource.kind, described, record.id, { id, actor, now })], audit: [] };
}

/** Values that are too large are left out: the entry still names their fields. */
function changesOf(views: RecordChange): Readonly<Record<string, unknown>> {
  const { before, after } = withoutCostsIn(views);
  const { data } = auditedChange(before, after);
  return isTooLarge(data) ? { truncated: true } : data;
}

/** The unique values of records. */
const UNIQUE: readonly Taken["taken"][] = ["id", "cuit", "sku"];

/** Null = the commit was written, or refused for another reason. */
function takenBy(committed: Committed): Taken | null {
  if (committed.kind === "written" || !isTaken(committed.by)) return null;
  return UNIQUE.includes(committed.by.taken) ? committed.by : null;
}

function takenProblem<K extends CatalogKind>(
  { kind, fieldOf }: Resource<K>,
  record: CatalogRecords[K],
  found: Taken,
): Problem {
  return valueTaken(kind, found.taken, fieldOf(record, found));
}

/** Another record has the value of `field`. */
export function valueTaken(kind: CatalogKind, taken: Taken["taken"], field: string): Problem {
  const message = `Another ${kind} of this business has this ${taken} already.`;
  return { kind: "conflict", message, details: { field } };
}

function busy(kind: CatalogKind): Problem {
  return { kind: "conflict", message: `Others keep changing this ${kind}; try again.`, details: {} };
}

function notDeleted(id: string): Problem {
  const message = "Only what is deleted can be restored.";
  return brokenRule("INVALID_TRANSITION", message, { id, from: "ACTIVE", to: "ACTIVE", allowed: ["DELETED"] });
}
