import { err, ok, type Result } from "neverthrow";
import type { z } from "zod";
import type { DomainEvent } from "../events/event.js";
import { receiptLost } from "../idempotency/receipt-lost.js";
import type { WriteOptions } from "../idempotency/write-options.js";
import type { Actor } from "../kernel/actor.js";
import { at } from "../kernel/at.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { brokenRule, notFound, type Problem } from "../kernel/problem.js";
import type { CatalogContext } from "./catalog-context.js";
import { catalogEventOf, describeChange } from "./catalog-event.js";
import type { Taken } from "./catalog-store.js";
import type { CatalogRecord } from "./record.js";
import { checkSize } from "./record-size.js";
import type { CreateSchema, RecordDeletion, RecordView, Resource } from "./resource.js";

const ATTEMPTS = 10;

/** Hosts that bring numbers of their own may have taken many ids in a row: each try skips twice as many as the last. */
const ID_ATTEMPTS = 32;
const MOST_SKIPPED = 4_096;

/**
 * Adds a record under the id that the host chose, or under a new one. Errors: a conflict that names the field when
 * another record has the id or a value that must be unique; those of checkSize and of the kind.
 */
export async function createRecord<R extends CatalogRecord, V extends RecordView, C extends CreateSchema>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<R, V, C>,
  input: z.output<C>,
  options: WriteOptions<V> = {},
): Promise<Result<V, Problem>> {
  const now = options.now ?? context.clock.now();
  for (let attempt = 0; attempt < ID_ATTEMPTS; attempt += 1) {
    const id = input.id ?? (await newId(context, attempt));
    const stamps = { version: 1, createdAt: now, updatedAt: now, deletedAt: null };
    const base = { businessId: actor.businessId, id, ...stamps };
    const made = (await resource.make(context, base, input)).andThen(checkSize);
    if (made.isErr()) return err(made.error);
    const record = made.value;
    const view = await presentOne(context, resource, record);
    const events = await eventsOf(context, actor, resource, null, record);
    const outcome = await resource.port.insert(context.store, record, events, options.receiptFor?.(view) ?? null);
    if (outcome === "receipt-lost") return err(receiptLost);
    if (outcome === "written") {
      context.announce(events);
      return ok(view);
    }
    const isOurChoice = outcome.taken === "id" && input.id === undefined;
    if (!isOurChoice) return err(taken(resource, record, outcome));
  }
  return err(busy(resource.name));
}

async function newId({ ids }: CatalogContext, attempt: number): Promise<string> {
  if (attempt === 0) return ids.next();
  const skipped = await ids.take(Math.min(2 ** attempt, MOST_SKIPPED));
  return at(skipped, skipped.length - 1);
}

/** Changes the fields that are given. Errors: those of changeRecord, of checkSize and of the kind. */
export function updateRecord<R extends CatalogRecord, V extends RecordView, U extends z.ZodType>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<R, V, CreateSchema, U>,
  id: string,
  input: z.output<U>,
  options: WriteOptions<V> = {},
): Promise<Result<V, Problem>> {
  return changeRecord(context, actor, resource, id, options, {
    decide: async (current) => (await resource.change(context, current, input)).andThen(checkSize),
    present: (record) => presentOne(context, resource, record),
  });
}

/** Deletes softly: budgets go on showing the record, and it can be restored. Errors: those of changeRecord. */
export function deleteRecord<R extends CatalogRecord>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<R>,
  id: string,
  options: WriteOptions<RecordDeletion> = {},
): Promise<Result<RecordDeletion, Problem>> {
  return changeRecord(context, actor, resource, id, options, {
    decide: async (current, now) => ok({ ...current, deletedAt: now }),
    present: async ({ updatedAt }) => ({ id, status: "DELETED", deletedAt: toTimestamp(updatedAt) }),
  });
}

/**
 * Brings a deleted record back. Errors: INVALID_TRANSITION for one that is not deleted; a conflict when another has
 * taken its cuit or a sku meanwhile; those of changeRecord.
 */
export function restoreRecord<R extends CatalogRecord, V extends RecordView>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<R, V>,
  id: string,
  options: WriteOptions<V> = {},
): Promise<Result<V, Problem>> {
  return changeRecord(context, actor, resource, id, options, {
    decide: async (current) => (current.deletedAt === null ? err(notDeleted(id)) : ok({ ...current, deletedAt: null })),
    present: (record) => presentOne(context, resource, record),
    meetsDeleted: true,
  });
}

interface Change<R, Answer> {
  decide(current: R, now: Instant): Promise<Result<R, Problem>>;
  present(record: R): Promise<Answer>;
  readonly meetsDeleted?: boolean; // restore alone looks at deleted records
}

/**
 * Carries out a change by compare-and-set: reads, decides, writes, and decides anew when another writer came between.
 * Errors: not-found; stale when `expectedVersion` is no longer the stored one; those of the rule; a conflict when a
 * value that must be unique is taken, or when others keep coming between.
 */
async function changeRecord<R extends CatalogRecord, Answer>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<R>,
  id: string,
  options: WriteOptions<Answer>,
  change: Change<R, Answer>,
): Promise<Result<Answer, Problem>> {
  const now = options.now ?? context.clock.now();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const current = await resource.port.find(context.store, actor.businessId, id);
    if (current === null || (current.deletedAt !== null && change.meetsDeleted !== true)) {
      return err(notFound(resource.name, id));
    }
    if (isUnexpected(current, options)) return err(stale(resource.name));
    const decided = await change.decide(current, now);
    if (decided.isErr()) return err(decided.error);
    const record = { ...decided.value, version: current.version + 1, updatedAt: now };
    const events = await eventsOf(context, actor, resource, current, record);
    const answer = await change.present(record);
    const receipt = options.receiptFor?.(answer) ?? null;
    const outcome = await resource.port.replace(context.store, record, current.version, events, receipt);
    if (outcome === "receipt-lost") return err(receiptLost);
    if (outcome === "stale") continue;
    if (outcome !== "written") return err(taken(resource, record, outcome));
    context.announce(events);
    return ok(answer);
  }
  return err(busy(resource.name));
}

async function presentOne<R extends CatalogRecord, V extends RecordView>(
  context: CatalogContext,
  resource: Resource<R, V>,
  record: R,
): Promise<V> {
  return at(await resource.present(context, [record]), 0);
}

/** What subscribers are told of a record in the place of another; `before` is null for a new one. */
async function eventsOf<R extends CatalogRecord>(
  context: CatalogContext,
  actor: Actor,
  resource: Resource<R>,
  before: R | null,
  record: R,
): Promise<DomainEvent[]> {
  if (resource.events === null) return [];
  const views = {
    before: before === null ? null : { ...(await presentOne(context, resource, before)) },
    after: record.deletedAt === null ? { ...(await presentOne(context, resource, record)) } : null,
  };
  const now = record.updatedAt;
  const described = describeChange(views, record, now);
  if (described === null) return [];
  return [catalogEventOf(resource.events, described, record.id, { id: await context.ids.next(), actor, now })];
}

function isUnexpected({ version }: CatalogRecord, { expectedVersion }: WriteOptions<never>): boolean {
  return expectedVersion !== undefined && expectedVersion !== null && expectedVersion !== version;
}

function taken<R extends CatalogRecord>({ name, fieldOf }: Resource<R>, record: R, found: Taken): Problem {
  const message = `Another ${name} of this business has this ${found.taken} already.`;
  return { kind: "conflict", message, details: { field: fieldOf(record, found) } };
}

function stale(name: string): Problem {
  return { kind: "stale", message: `The ${name} has changed since the version that If-Match names.` };
}

function busy(name: string): Problem {
  return { kind: "conflict", message: `Others keep changing this ${name}; try again.`, details: {} };
}

function notDeleted(id: string): Problem {
  const message = "Only what is deleted can be restored.";
  return brokenRule("INVALID_TRANSITION", message, { id, from: "ACTIVE", to: "ACTIVE", allowed: ["DELETED"] });
}
