import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type Query } from "../kernel/call.js";
import type { CallOptions, ContextFor } from "../kernel/host-connection.js";
import type { EventStore } from "./event-store.js";
import { listEvents, listEventsSchema } from "./list-events.js";

interface EventsContext {
  readonly store: Pick<EventStore, "listEvents">;
}

/** What a host reads of the outbox without HTTP. */
export function createEventOperations(contextFor: ContextFor<EventsContext>, call: Call) {
  return {
    list: (actor: Actor, query: Query<typeof listEventsSchema> = {}, options?: CallOptions) =>
      call.with(actor, listEventsSchema, asQueryText(query), (parsed) =>
        listEvents(contextFor(options), actor, parsed),
      ),
  };
}
export type EventOperations = ReturnType<typeof createEventOperations>;
