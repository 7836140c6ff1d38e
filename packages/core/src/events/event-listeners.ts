import type { DomainEvent, EventType } from "./event.js";

/** Told of an event after it was committed. */
export type EventHandler = (event: DomainEvent) => unknown;

/** What runs in this process when something has happened. */
export interface EventListeners {
  /** Calls `handler` for events of the type, `"*"` for all; the function that is given back ends it. */
  on(type: EventType | "*", handler: EventHandler): () => void;
  /** True when a handler wants to hear of events of the type. */
  areWaitingFor(type: EventType): boolean;
  /** Tells the handlers of events that were committed, without waiting for them. */
  announce(events: readonly DomainEvent[]): void;
}

/** A handler that throws or rejects is reported, and disturbs neither the others nor whoever made the change. */
export function createEventListeners(onError: (error: unknown) => void): EventListeners {
  const handlers = new Set<{ readonly type: EventType | "*"; readonly handler: EventHandler }>();
  const handlersOf = (wanted: EventType) => [...handlers].filter(({ type }) => type === "*" || type === wanted);
  return {
    on: (type, handler) => {
      const entry = { type, handler };
      handlers.add(entry);
      return () => void handlers.delete(entry);
    },
    areWaitingFor: (type) => handlersOf(type).length > 0,
    announce: (events) => {
      for (const event of events) {
        for (const { handler } of handlersOf(event.type)) Promise.resolve(event).then(handler).catch(onError);
      }
    },
  };
}
