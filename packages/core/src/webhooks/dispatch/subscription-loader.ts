import { setImmediate as nextTurn } from "node:timers/promises";
import { findSubscription, type Subscription } from "../deliveries/subscription.js";
import type { Delivery } from "../delivery.js";
import type { WebhookContext } from "../webhook-context.js";

/** The current state of the delivery's subscriber; null = it must not get this delivery now. */
export type LoadSubscription = (delivery: Delivery) => Promise<Subscription | null>;

/**
 * Deliveries to one subscriber share a lookup and the import of its secrets while the lookup is in flight and within one
 * turn of the event loop. Later calls read the subscriber again, so that a change takes effect.
 */
export function createSubscriptionLoader(context: WebhookContext): LoadSubscription {
  const shared = new Map<string, Promise<Subscription | null>>();
  return async (delivery) => {
    const { businessId, subscriber, eventId, eventType } = delivery;
    const name = `${businessId} ${subscriber.kind} ${subscriber.id}`;
    const subscription = await (shared.get(name) ?? share(name, delivery));
    return subscription === null || eventId === null || subscription.covers(eventType) ? subscription : null;
  };

  function share(name: string, { businessId, subscriber }: Delivery): Promise<Subscription | null> {
    const lookup = findSubscription(context, businessId, subscriber, context.clock.now());
    const forget = (): void => {
      if (shared.get(name) === lookup) shared.delete(name);
    };
    shared.set(name, lookup);
    lookup.then(forget, forget);
    void nextTurn().then(forget);
    return lookup;
  }
}
