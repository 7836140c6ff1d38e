import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { findSubscription, type Subscription } from "../deliveries/subscription.js";
import type { Delivery } from "../delivery.js";
import type { WebhookContext } from "../webhook-context.js";

/** The subscribers whose imported secrets are kept. */
const MAX_KEPT = 1_000;

/** Reads the subscribers of deliveries. */
export interface SubscriptionLoader {
  /** The current state of the delivery's subscriber; null = it must not get this delivery now. */
  load(delivery: Delivery): Promise<Subscription | null>;
  /** Imports all secrets again, also of a version that is known: after lost commits it may be another one. */
  forget(): void;
}

/**
 * Deliveries to one subscriber share a lookup and the import of its secrets while the lookup is in flight and within one
 * turn of the event loop. Later calls read the subscriber again, so that a change takes effect; its secrets are imported
 * again with its next version only.
 */
export function createSubscriptionLoader(context: WebhookContext): SubscriptionLoader {
  const shared = new Map<string, Promise<Subscription | null>>();
  let present = emptyCache(); // replaced by forget: a lookup in flight then fills one that nothing reads

  function share(name: string, { businessId, subscriber }: Delivery): Promise<Subscription | null> {
    const kept = present;
    const lookup = findSubscription(context, businessId, subscriber, context.clock.now()).then((found) =>
      keep(kept, name, found),
    );
    const forget = (): void => {
      if (shared.get(name) === lookup) shared.delete(name);
    };
    shared.set(name, lookup);
    lookup.then(forget, forget);
    void nextTurn().then(forget);
    return lookup;
  }

  return {
    load: async (delivery) => {
      const { businessId, subscriber, eventId, eventType } = delivery;
      const name = `${businessId} ${subscriber.kind} ${subscriber.id}`;
      const subscription = await (shared.get(name) ?? share(name, delivery));
      return subscription === null || eventId === null || subscription.covers(eventType) ? subscription : null;
    },
    forget: () => {
      shared.clear();
      present = emptyCache();
    },
  };
}

type Kept = LRUCache<string, Subscription>;

function emptyCache(): Kept {
  return new LRUCache({ max: MAX_KEPT });
}

/** The one that is kept, if it is of the same version. */
function keep(kept: Kept, name: string, found: Subscription | null): Subscription | null {
  if (found === null) return null;
  const former = kept.get(name);
  if (former?.version === found.version) return former;
  kept.set(name, found);
  return found;
}
