import { isDeepStrictEqual } from "node:util";
import type { DomainEvent, EventChange } from "../events/event.js";
import { type Actor, actorLabel, originOf } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import type { CatalogRecord } from "./record.js";

/** A view as far as events go: named values. */
type View = Readonly<Record<string, unknown>>;

/** What happened to a record, as its views before and after tell; null = there was none, or it is gone. */
export interface RecordChange {
  readonly before: View | null;
  readonly after: View | null;
}

/** What a write changes by itself is no news. */
const WRITE_FIELDS: ReadonlySet<string> = new Set(["version", "updatedAt"]);

/** An event is copied to each subscriber, so that a small change of a large record must not make a large event. */
export const MAX_DATA_BYTES = 16 * 1024;

/** What an event tells in the place of more than {@link MAX_DATA_BYTES} of JSON. */
type TruncatedData = Readonly<{
  id: string;
  name: string;
  truncated: true;
  fields: readonly string[]; // those that changed; none of a new record
}>;

/**
 * What subscribers are told of a change; null = nothing changed. `created` and `updated` bring the whole record,
 * `updated` beside it the former values of the fields that changed (`previous`), `deleted` the id and the moment. What
 * would be too large is truncated: receivers read the record itself.
 */
export function describeChange(
  { before, after }: RecordChange,
  record: Pick<CatalogRecord, "id" | "name">,
  now: Instant,
): Described | null {
  const { id } = record;
  if (before === null) {
    return { act: "created", data: bounded(after ?? {}, record, []), change: changeOf([], null, "ACTIVE") };
  }
  if (after === null) {
    const data = { id, deletedAt: toTimestamp(now) };
    return { act: "deleted", data, change: changeOf(["deletedAt"], "ACTIVE", "DELETED") };
  }
  const fields = changedFields(before, after);
  if (fields.length === 0) return null;
  const previous = Object.fromEntries(fields.map((field) => [field, before[field] ?? null]));
  const from = fields.includes("deletedAt") ? "DELETED" : "ACTIVE";
  const data = bounded({ ...after, previous }, record, fields);
  return { act: "updated", data, change: changeOf(fields, from, "ACTIVE") };
}

function bounded(
  data: View,
  { id, name }: Pick<CatalogRecord, "id" | "name">,
  fields: readonly string[],
): View | TruncatedData {
  if (Buffer.byteLength(JSON.stringify(data)) <= MAX_DATA_BYTES) return data;
  return { id, name, truncated: true, fields };
}

interface Described {
  readonly act: "created" | "updated" | "deleted";
  readonly data: View | TruncatedData;
  readonly change: EventChange;
}

function changedFields(before: View, after: View): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !WRITE_FIELDS.has(field) && !isDeepStrictEqual(before[field], after[field]),
  );
}

function changeOf(fields: readonly string[], from: string | null, to: string): EventChange {
  return { fields, from, to, reason: null };
}

/** The event that a change of a customer or product is told by. */
export function catalogEventOf(
  group: "customer" | "product",
  { act, data, change }: Described,
  subjectId: string,
  { id, actor, now }: { readonly id: string; readonly actor: Actor; readonly now: Instant },
): DomainEvent {
  return {
    businessId: actor.businessId,
    id,
    type: `${group}.${act}`,
    occurredAt: now,
    actor: actorLabel(actor),
    subjectId,
    data,
    change,
    ...originOf(actor),
  };
}
