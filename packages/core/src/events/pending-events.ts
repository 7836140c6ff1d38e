import type { HostConnection } from "../kernel/call.js";
import { type Clock, MINUTE_MS } from "../kernel/clock.js";
import type { DomainEvent } from "./event.js";
import type { EventListeners } from "./event-listeners.js";
import type { EventStore } from "./event-store.js";

/**
 * Events for the handlers in this process, which wait for their places. Those of transactions of the host also wait for
 * the commit: the service does not see how such a transaction ends. It looks the events up in the outbox, and drops after
 * a minute those that are not there.
 */
export interface PendingEvents {
  /** Keeps events that have a handler until they are committed. */
  hold(connection: HostConnection | null, events: readonly DomainEvent[]): void;
  /** Calls the handlers, once each, for events that are committed now: of one connection (null = the service), or of all. */
  release(connection?: HostConnection | null): Promise<void>;
}

interface PendingEvent {
  readonly connection: HostConnection | null; // null = the service has committed the event
  readonly event: DomainEvent;
  readonly heldAt: number;
}

const KEPT_MS = MINUTE_MS;

/** Events in one look-up. */
const BATCH = 1_000;

export function createPendingEvents(
  store: Pick<EventStore, "placesOfEvents">,
  listeners: EventListeners,
  clock: Clock,
): PendingEvents {
  const pending = new Set<PendingEvent>(); // the oldest first

  function dropOld(now: number): void {
    for (const each of pending) {
      if (now - each.heldAt < KEPT_MS) return;
      pending.delete(each);
    }
  }

  async function announceCommitted(batch: readonly PendingEvent[]): Promise<void> {
    const places = await store.placesOfEvents(batch.map(({ event }) => event));
    for (const [index, each] of batch.entries()) {
      const place = places[index] ?? null;
      if (place !== null && pending.delete(each)) listeners.announce([{ ...each.event, ...place }]);
    }
  }

  return {
    hold: (connection, events) => {
      const now = clock.now();
      dropOld(now);
      for (const event of events) {
        if (listeners.areWaitingFor(event.type)) pending.add({ connection, event, heldAt: now });
      }
    },
    release: async (connection) => {
      const due = [...pending].filter((each) => connection === undefined || each.connection === connection);
      for (let first = 0; first < due.length; first += BATCH) await announceCommitted(due.slice(first, first + BATCH));
      dropOld(clock.now());
    },
  };
}
