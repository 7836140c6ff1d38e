import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type CallOptions, type ContextFor, type Query } from "../kernel/call.js";
import type { TimeZones } from "../kernel/dates.js";
import type { EventStore } from "./event-store.js";
import { listEvents, listEventsSchema } from "./list-events.js";

interface EventsContext {
  readonly store: Pick<EventStore, "listEvents"> & TimeZones;
}

/** The event operations that a host calls in process. */
export function createEventOperations(contextFor: ContextFor<EventsContext>, call: Call) {
  return {
    list: (actor: Actor, query: Query<typeof listEventsSchema> = {}, options?: CallOptions) =>
      call.with(actor, listEventsSchema, asQueryText(query), (parsed) =>
        listEvents(contextFor(options), actor, parsed),
      ),
  };
}
export type EventOperations = ReturnType<typeof createEventOperations>;
