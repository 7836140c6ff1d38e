import { err, ok, type Result } from "neverthrow";
import type { z } from "zod";
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
import { catalogEventOf, describeChange, type RecordChange } from "./catalog-event.js";
import type { Taken } from "./catalog-store.js";
import type { CatalogRecord } from "./record.js";
import { checkSize } from "./record-size.js";
import type { CatalogContext, CreateSchema, RecordDeletion, RecordView, Resource } from "./resource.js";

/** A host that chooses ids may have taken many in a row. Each attempt skips twice as many ids as the one before. */
const ID_ATTEMPTS = 32;
const MAX_SKIPPED = 4_096;

/**
 * Adds a record with the id that the host chose, or with a new one. Errors: a conflict that names the field when another
 * record has the id or a unique value; those of checkSize and of the kind; QUOTA_EXCEEDED.
 */
export async function createRecord<R extends CatalogRecord, V extends RecordView, C extends CreateSchema>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<R, V, C>,
  input: z.output<C>,
  options: WriteOptions = {},
): Promise<Result<V, Problem>> {
  const now = options.now ?? context.clock.now();
  const full = await refuseWhenFull(context.store, actor.businessId, context.quota);
  if (full !== null) return err(full);
  for (let attempt = 0; attempt < ID_ATTEMPTS; attempt += 1) {
    const id = input.id ?? (await newId(context, actor.businessId, attempt));
    const stamps = { version: 1, createdAt: now, updatedAt: now, deletedAt: null };
    const base = { businessId: actor.businessId, id, ...stamps };
    const made = (await resource.make(context, base, input)).andThen(checkSize);
    if (made.isErr()) return err(made.error);
    const record = made.value;
    const view = await presentOne(context, resource, record);
    const { events, audit } = await entriesOf(context, actor, resource, null, record);
    const outcome = await resource.port.insert(context.store, record, events, options.recordFor?.(view) ?? null, audit);
    if (outcome === "claim-lost") return err(claimLost);
    if (outcome === "written") {
      await context.announce(events);
      return ok(view);
    }
    const isOurChoice = outcome.taken === "id" && input.id === undefined;
    if (!isOurChoice) return err(taken(resource, record, outcome));
  }
  return err(busy(resource.name));
}

async function newId({ ids }: CatalogContext, businessId: string, attempt: number): Promise<string> {
  if (attempt === 0) return ids.next(businessId);
  const skipped = await ids.take(businessId, Math.min(2 ** attempt, MAX_SKIPPED));
  return at(skipped, skipped.length - 1);
}

/** Changes the given fields. Errors: those of changeRecord, of checkSize and of the kind; QUOTA_EXCEEDED. */
export function updateRecord<R extends CatalogRecord, V extends RecordView, U extends z.ZodType>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<R, V, CreateSchema, U>,
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
export function deleteRecord<R extends CatalogRecord>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<R>,
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
export function restoreRecord<R extends CatalogRecord, V extends RecordView>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<R, V>,
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

interface Change<R, View> {
  decide(current: R, now: Instant): Promise<Result<R, Problem>>;
  present(record: R): Promise<View>;
  readonly meetsDeleted?: boolean; // only restore changes deleted records
  readonly addsBytes?: boolean; // all but deletions: refused once the quota is used up
}

/**
 * Changes a record by compare-and-set, and decides again after a lost race.
 * Errors: not-found; stale when `expectedVersion` is not the stored version; those of the rule; a conflict when a unique
 * value is taken, or when every attempt loses.
 */
async function changeRecord<R extends CatalogRecord, View>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<R>,
  id: string,
  options: WriteOptions,
  change: Change<R, View>,
): Promise<Result<View, Problem>> {
  const now = options.now ?? context.clock.now();
  return retryOnConflict(
    async () => {
      const current = await resource.port.find(context.store, actor.businessId, id);
      if (current === null || (current.deletedAt !== null && change.meetsDeleted !== true)) {
        return err(notFound(resource.name, id));
      }
      const stale = refuseStaleVersion(resource.name, current, options);
      if (stale !== null) return err(stale);
      const decided = await change.decide(current, now);
      if (decided.isErr()) return err(decided.error);
      const full = change.addsBytes ? await refuseWhenFull(context.store, actor.businessId, context.quota) : null;
      if (full !== null) return err(full);
      const record = { ...decided.value, version: current.version + 1, updatedAt: now };
      const { events, audit } = await entriesOf(context, actor, resource, current, record);
      const view = await change.present(record);
      const idempotencyRecord = options.recordFor?.(view) ?? null;
      const write = [record, current.version, events, idempotencyRecord, audit] as const;
      const outcome = await resource.port.replace(context.store, ...write);
      if (outcome === "stale") return STALE;
      if (outcome === "claim-lost") return err(claimLost);
      if (outcome !== "written") return err(taken(resource, record, outcome));
      await context.announce(events);
      return ok(view);
    },
    () => busy(resource.name),
  );
}

async function presentOne<R extends CatalogRecord, V extends RecordView>(
  context: CatalogContext,
  resource: Resource<R, V>,
  record: R,
): Promise<V> {
  return at(await resource.present(context, [record]), 0);
}

/** What a change leaves in the ledger: an event, or an audit entry where the contract has no events of the kind. */
interface Entries {
  readonly events: readonly DomainEvent[];
  readonly audit: AuditEntry | null;
}

const NO_ENTRIES: Entries = { events: [], audit: null };

/** `before` is null for a new record. */
async function entriesOf<R extends CatalogRecord>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<R>,
  before: R | null,
  record: R,
): Promise<Entries> {
  const views = {
    before: before === null ? null : { ...(await presentOne(context, resource, before)) },
    after: record.deletedAt === null ? { ...(await presentOne(context, resource, record)) } : null,
  };
  const now = record.updatedAt;
  const described = describeChange(views, record, now);
  if (described === null) return NO_ENTRIES;
  if (resource.name === "package") {
    const { act, change } = described;
    const audited = { type: `package.${act}`, subjectId: record.id, now, change, data: changesOf(views) } as const;
    return { events: [], audit: await makeAuditEntry(context.ids, actor, audited) };
  }
  const id = await context.ids.next(actor.businessId);
  return { events: [catalogEventOf(resource.name, described, record.id, { id, actor, now })], audit: null };
}

/** Values that are too large are left out: the entry still names their fields. */
function changesOf({ before, after }: RecordChange): Readonly<Record<string, unknown>> {
  const { data } = auditedChange(before, after);
  return isTooLarge(data) ? { truncated: true } : data;
}

function taken<R extends CatalogRecord>({ name, fieldOf }: Resource<R>, record: R, found: Taken): Problem {
  const message = `Another ${name} of this business has this ${found.taken} already.`;
  return { kind: "conflict", message, details: { field: fieldOf(record, found) } };
}

function busy(name: string): Problem {
  return { kind: "conflict", message: `Others keep changing this ${name}; try again.`, details: {} };
}

function notDeleted(id: string): Problem {
  const message = "Only what is deleted can be restored.";
  return brokenRule("INVALID_TRANSITION", message, { id, from: "ACTIVE", to: "ACTIVE", allowed: ["DELETED"] });
}
