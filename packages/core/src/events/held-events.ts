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

/** Of one subject, type and moment; more than one change makes. */
const EVENTS_LOOKED_AT = 100;

export function createHeldEvents(
  store: Pick<EventStore, "listEvents">,
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

  async function isCommitted({ businessId, id, type, subjectId, occurredAt }: DomainEvent): Promise<boolean> {
    const moment = { since: occurredAt, until: occurredAt };
    const query = { type, subjectId, ...moment, limit: EVENTS_LOOKED_AT, offset: 0 };
    const { entries } = await store.listEvents(businessId, query);
    return entries.some((entry) => entry.id === id);
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
      for (const each of [...held]) {
        if (connection !== undefined && each.connection !== connection) continue;
        if ((await isCommitted(each.event)) && held.delete(each)) listeners.announce([each.event]);
      }
      forgetOld(clock.now());
    },
  };
}
