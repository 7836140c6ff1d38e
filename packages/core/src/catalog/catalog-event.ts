import { isDeepStrictEqual } from "node:util";
import type { DomainEvent, EventChange } from "../events/event.js";
import { fieldChange, isTooLarge } from "../events/event-changes.js";
import { type Actor, actorLabel, actorOrigin } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { haveSameCosts, INTERNAL_FIGURES, withoutCosts } from "./internal-costs.js";
import type { CatalogRecord } from "./record.js";

type View = Readonly<Record<string, unknown>>;

/** The views of a record before and after a change. Null before = new; null after = deleted. */
export interface RecordChange {
  readonly before: View | null;
  readonly after: View | null;
}

/** Every write changes these fields, so that an event does not list them. */
const WRITE_FIELDS: ReadonlySet<string> = new Set(["version", "updatedAt"]);

/** Replaces event data that is too large. */
interface TruncatedData {
  readonly [field: string]: unknown;
  readonly id: string;
  readonly name: string;
  readonly truncated: true;
  readonly fields: readonly string[]; // changed fields; empty for a new record
}

/**
 * The event content of a change; null = nothing changed. `created` and `updated` carry the whole record, and `updated`
 * also the former values of the changed fields (`previous`) and each field before and after (`changes`), which is left
 * out first where the data is too large. `deleted` carries the id and the time. Data that is still too large is
 * truncated: receivers read the record by its id. Costs are internal: a change of them is listed without its values.
 */
export function describeChange(
  views: RecordChange,
  record: Pick<CatalogRecord, "id" | "name">,
  now: Instant,
): Described | null {
  const { id } = record;
  const { before, after } = withoutCostsIn(views);
  if (before === null) {
    return { act: "created", data: bounded(after ?? {}, record, []), change: changeOf([], null, "ACTIVE") };
  }
  if (after === null) {
    const data = { id, deletedAt: toTimestamp(now) };
    return { act: "deleted", data, change: changeOf(["deletedAt"], "ACTIVE", "DELETED") };
  }
  const fields = changedFields(before, after);
  const hasOtherCosts = !haveSameCosts(views.before ?? {}, views.after ?? {});
  if (fields.length === 0 && !hasOtherCosts) return null;
  const previous = Object.fromEntries(fields.map((field) => [field, before[field] ?? null]));
  const from = fields.includes("deletedAt") ? "DELETED" : "ACTIVE";
  const changes = fields.map((field) => fieldChange(field, before[field], after[field]));
  const whole = { ...after, previous };
  const data = isTooLarge({ ...whole, changes }) ? bounded(whole, record, fields) : { ...whole, changes };
  const listed = hasOtherCosts ? [...fields, INTERNAL_FIGURES] : fields;
  return { act: "updated", data, change: changeOf(listed, from, "ACTIVE") };
}

/** The views as events and audit entries have them. */
export function withoutCostsIn({ before, after }: RecordChange): RecordChange {
  return {
    before: before === null ? null : withoutCosts(before),
    after: after === null ? null : withoutCosts(after),
  };
}

function bounded(
  data: View,
  { id, name }: Pick<CatalogRecord, "id" | "name">,
  fields: readonly string[],
): View | TruncatedData {
  return isTooLarge(data) ? { id, name, truncated: true, fields } : data;
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

/** The event of a change of a customer or product. */
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
    ...actorOrigin(actor),
  };
}
