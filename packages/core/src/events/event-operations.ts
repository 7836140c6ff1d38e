import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type Query } from "../kernel/call.js";
import type { EventStore } from "./event-store.js";
import { listEvents, listEventsSchema } from "./list-events.js";

/** What a host reads of the outbox without HTTP. */
export function createEventOperations(context: { readonly store: EventStore }, call: Call) {
  return {
    list: (actor: Actor, query: Query<typeof listEventsSchema> = {}) =>
      call.with(listEventsSchema, asQueryText(query), (parsed) => listEvents(context, actor, parsed)),
  };
}
export type EventOperations = ReturnType<typeof createEventOperations>;
