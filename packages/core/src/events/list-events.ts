import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { toTimestamp } from "../kernel/clock.js";
import { endOf, startOf } from "../kernel/dates.js";
import { hostId, pageQuery, paginationSchema, timestampView, wireDate } from "../kernel/fields.js";
import { paginationOf } from "../kernel/page.js";
import type { Problem } from "../kernel/problem.js";
import { AUDIT_TYPES, type StoredAuditEntry } from "./audit.js";
import { EVENT_TYPES, type StoredEvent } from "./event.js";
import type { EventStore } from "./event-store.js";

/** Query parameters of the event list, as text; plain dates are days in UTC. */
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
    id: z.string(),
    sequence: z.int().describe("Ascends in the order of commits."),
    event: z.enum([...EVENT_TYPES, ...AUDIT_TYPES]),
    timestamp: timestampView,
    actor: z.string().describe("`user:7`, `key:12`, `customer:Ana` or `system`."),
    subjectId: z.string().describe("The budget, customer, product, key or webhook."),
    data: z.record(z.string(), z.unknown()),
    change: z.object({
      fields: z.array(z.string()),
      from: z.string().nullable(),
      to: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  })
  .meta({ id: "Event" });
export type EventView = z.infer<typeof eventViewSchema>;

export const eventListSchema = z.object({ data: z.array(eventViewSchema), pagination: paginationSchema });
export type EventList = z.infer<typeof eventListSchema>;

/** The business's events and audit entries, newest first: who did what, when. Errors: forbidden for an API key or a customer. */
export async function listEvents(
  { store }: { readonly store: Pick<EventStore, "listEvents"> },
  actor: Actor,
  input: ListEventsInput,
): Promise<Result<EventList, Problem>> {
  if (actor.kind !== "user" && actor.kind !== "system") {
    return err({ kind: "forbidden", message: "Events are read with a login token." });
  }
  const page = await store.listEvents(actor.businessId, {
    type: input.event ?? null,
    subjectId: input.subjectId ?? null,
    since: input.since === undefined ? null : startOf(input.since, "UTC"),
    until: input.until === undefined ? null : endOf(input.until, "UTC"),
    limit: input.limit,
    offset: (input.page - 1) * input.limit,
  });
  return ok({ data: page.entries.map(viewOf), pagination: paginationOf(input, page) });
}

function viewOf(event: StoredEvent | StoredAuditEntry): EventView {
  return {
    id: event.id,
    sequence: event.sequence,
    event: event.type,
    timestamp: toTimestamp(event.occurredAt),
    actor: event.actor,
    subjectId: event.subjectId,
    data: { ...event.data },
    change: { ...event.change, fields: [...event.change.fields] },
  };
}
