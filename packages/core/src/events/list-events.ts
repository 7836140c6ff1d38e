import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { toTimestamp } from "../kernel/clock.js";
import { endOf, startOf, type TimeZones, timeZoneFor, type WireDate } from "../kernel/dates.js";
import { hostId, pageQuery, paginationSchema, timestampView, wireDate } from "../kernel/fields.js";
import { paginationOf } from "../kernel/page.js";
import type { Problem } from "../kernel/problem.js";
import { AUDIT_TYPES, EVENT_TYPES, type StoredAuditEntry, type StoredEvent } from "./event.js";
import type { EventStore } from "./event-store.js";
import { mayReadType, readableTypes, refuseUnlessEventReader, refuseUnreadable } from "./readable-events.js";

/** Query parameters of the event list, as text. */
export const listEventsSchema = z.object({
  ...pageQuery,
  event: z.enum([...EVENT_TYPES, ...AUDIT_TYPES]).optional(),
  subjectId: hostId.optional(),
  since: wireDate.optional(),
  until: wireDate.optional(),
});
export type ListEventsInput = z.output<typeof listEventsSchema>;

const eventViewSchema = z
  .object({
    /** Assigned by the service. */
    id: z.string(),
    /** 1, 2, 3 … in the order of the business's commits, without gaps. */
    sequence: z.int().describe("1, 2, 3 … in the order of the business's commits, without gaps."),
    /** 1, 2, 3 … in the order of the subject's changes, without gaps. */
    revision: z.int().describe("1, 2, 3 … in the order of the subject's changes, without gaps."),
    /** Name of the event. */
    event: z.enum([...EVENT_TYPES, ...AUDIT_TYPES]),
    /** When the event occurred. ISO 8601, in UTC. */
    timestamp: timestampView,
    /** `user:7`, `key:12`, `customer:Ana` or `system`; `anonymous` for a failed login. */
    actor: z.string().describe("`user:7`, `key:12`, `customer:Ana` or `system`; `anonymous` for a failed login."),
    /** The budget, customer, product, key, webhook, user or business. */
    subjectId: z.string().describe("The budget, customer, product, key, webhook, user or business."),
    /** The payload for subscribers. Of an audit entry: `address` of the client, and `changes` by field. */
    data: z
      .record(z.string(), z.unknown())
      .describe("The payload for subscribers. Of an audit entry: `address` of the client, and `changes` by field."),
    /** What the change touched. */
    change: z.object({
      /** The changed fields. */
      fields: z.array(z.string()),
      /** Status before; null = it did not exist. */
      from: z.string().nullable(),
      /** Status after; null = none. */
      to: z.string().nullable(),
      /** Why; null = not given. */
      reason: z.string().nullable(),
    }),
  })
  .meta({ id: "Event" });
export type EventView = z.infer<typeof eventViewSchema>;

export const eventListSchema = z.object({ data: z.array(eventViewSchema), pagination: paginationSchema });
export type EventList = z.infer<typeof eventListSchema>;

/**
 * The events and audit entries of the business, newest first. Entries about records that the actor may not read are left
 * out. Errors: forbidden for an API key or a customer, and for a type that the actor may not read.
 */
export async function listEvents(
  { store }: { readonly store: Pick<EventStore, "listEvents"> & TimeZones },
  actor: Actor,
  input: ListEventsInput,
): Promise<Result<EventList, Problem>> {
  const { event: type } = input;
  const refusal = refuseUnlessEventReader(actor) ?? (type === undefined ? null : refuseUnreadable(actor, type));
  if (refusal !== null) return err(refusal);
  const within = readableTypes(actor);
  const momentOf = async (date: WireDate | undefined, read: typeof startOf) =>
    date === undefined ? null : read(date, await timeZoneFor(store, actor.businessId, date));
  const page = await store.listEvents(actor.businessId, {
    type: type ?? null,
    ...(within === null ? {} : { within }),
    subjectId: input.subjectId ?? null,
    since: await momentOf(input.since, startOf),
    until: await momentOf(input.until, endOf),
    limit: input.limit,
    offset: (input.page - 1) * input.limit,
  });
  // A store of an earlier version of the port leaves nothing out by itself.
  const entries = page.entries.filter((entry) => mayReadType(actor, entry.type));
  return ok({ data: entries.map(viewOf), pagination: paginationOf(input, page) });
}

function viewOf(event: StoredEvent | StoredAuditEntry): EventView {
  return {
    id: event.id,
    sequence: event.sequence,
    revision: event.revision,
    event: event.type,
    timestamp: toTimestamp(event.occurredAt),
    actor: event.actor,
    subjectId: event.subjectId,
    data: { ...event.data },
    change: { ...event.change, fields: [...event.change.fields] },
  };
}
