import { type Clock, MINUTE_MS } from "../kernel/clock.js";
import type { HostConnection } from "../kernel/host-connection.js";
import type { DomainEvent } from "./event.js";
import type { EventListeners } from "./event-listeners.js";
import type { EventStore } from "./event-store.js";

/**
 * What was written in transactions of the host, for the handlers in this process. Nobody tells the service how such a
 * transaction ended, so it looks which events are there, and forgets after a minute those that never were.
 */
export interface HeldEvents {
  /** Keeps events of which a handler wants to hear until they are seen committed. */
  hold(connection: HostConnection, events: readonly DomainEvent[]): void;
  /** Tells the handlers of what has been committed since, once each; of one connection, or of all of them. */
  release(connection?: HostConnection): Promise<void>;
}

interface Held {
  readonly connection: HostConnection;
  readonly event: DomainEvent;
  readonly heldAt: number;
}

const KEPT_MS = MINUTE_MS;

/** How many events one call of the store is asked about. */
const ASKED_AT_ONCE = 1_000;

export function createHeldEvents(
  store: Pick<EventStore, "hasEvents">,
  listeners: EventListeners,
  clock: Clock,
): HeldEvents {
  const held = new Set<Held>(); // the oldest first

  function forgetOld(now: number): void {
    for (const each of held) {
      if (now - each.heldAt < KEPT_MS) return;
      held.delete(each);
    }
  }

  async function announceCommitted(asked: readonly Held[]): Promise<void> {
    const areCommitted = await store.hasEvents(asked.map(({ event }) => event));
    for (const [index, each] of asked.entries()) {
      if (areCommitted[index] === true && held.delete(each)) listeners.announce([each.event]);
    }
  }

  return {
    hold: (connection, events) => {
      const now = clock.now();
      forgetOld(now);
      for (const event of events) {
        if (listeners.areWaitingFor(event.type)) held.add({ connection, event, heldAt: now });
      }
    },
    release: async (connection) => {
      const asked = [...held].filter((each) => connection === undefined || each.connection === connection);
      for (let first = 0; first < asked.length; first += ASKED_AT_ONCE) {
        await announceCommitted(asked.slice(first, first + ASKED_AT_ONCE));
      }
      forgetOld(clock.now());
    },
  };
}
