import type { EventType, StoredEvent } from "./event.js";

/** Runs after the event is committed. */
export type EventHandler = (event: StoredEvent) => unknown;

/** The event handlers of this process. */
export interface EventListeners {
  /** Calls `handler` for events of the type, `"*"` for all. The returned function unsubscribes. */
  on(type: EventType | "*", handler: EventHandler): () => void;
  /** True when a handler subscribes to events of the type. */
  areWaitingFor(type: EventType): boolean;
  /** Calls the handlers with committed events, without waiting for them. */
  announce(events: readonly StoredEvent[]): void;
}

/** A handler that throws or rejects goes to `onError`. It affects neither the other handlers nor the operation. */
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
