import type { Actor } from "../kernel/actor.js";
import { asQueryText, type Call, type CallOptions, type ContextFor, type Query } from "../kernel/call.js";
import type { TimeZones } from "../kernel/dates.js";
import type { EventStore } from "./event-store.js";
import type { EventFollowers } from "./follow-events.js";
import { listEvents, listEventsSchema } from "./list-events.js";
import type { LogBounds, ReadEvents } from "./read-events.js";

interface EventsContext {
  readonly store: Pick<EventStore, "listEvents" | "readLedger"> & LogBounds & TimeZones;
}

export interface FollowEvents extends ReadEvents {
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}

/** The event operations that a host calls in process. */
export function createEventOperations(contextFor: ContextFor<EventsContext>, followers: EventFollowers, call: Call) {
  const read = async (actor: Actor, input: ReadEvents = {}, options?: CallOptions) => {
    const { readEvents, readEventsSchema } = await import("./read-events.js");
    return call.with(actor, readEventsSchema, input, (parsed) => readEvents(contextFor(options), actor, parsed));
  };
  return {
    list: (actor: Actor, query: Query<typeof listEventsSchema> = {}, options?: CallOptions) =>
      call.with(actor, listEventsSchema, asQueryText(query), (parsed) =>
        listEvents(contextFor(options), actor, parsed),
      ),
    read,
    follow: (actor: Actor, { signal, ...input }: FollowEvents = {}) =>
      followers.follow(input.after ?? 0, (after) => read(actor, { ...input, after }), signal),
  };
}
export type EventOperations = ReturnType<typeof createEventOperations>;
