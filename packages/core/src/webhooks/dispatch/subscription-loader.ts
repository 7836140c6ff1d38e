import { setImmediate as nextTurn } from "node:timers/promises";
import { findSubscription, type Subscription } from "../deliveries/subscription.js";
import type { Delivery } from "../delivery.js";
import type { WebhookContext } from "../webhook-context.js";

/** The current state of the delivery's subscriber; null = it must not get this delivery now. */
export type LoadSubscription = (delivery: Delivery) => Promise<Subscription | null>;

/**
 * Deliveries to one subscriber share a lookup, and decrypt its secrets once, while the lookup is in flight and within one
 * turn of the event loop. Later calls read the subscriber again, so that a change takes effect.
 */
export function createSubscriptionLoader(context: WebhookContext): LoadSubscription {
  const shared = new Map<string, Promise<Subscription | null>>();
  return (delivery) => {
    const { businessId, subscriber, eventId, eventType } = delivery;
    const name = [businessId, subscriber.kind, subscriber.id, eventId === null, eventType].join(" ");
    const known = shared.get(name);
    if (known !== undefined) return known;
    const subscription = findSubscription(context, delivery, context.clock.now()).then(decryptedOnce);
    const forget = (): void => {
      if (shared.get(name) === subscription) shared.delete(name);
    };
    shared.set(name, subscription);
    subscription.then(forget, forget);
    void nextTurn().then(forget);
    return subscription;
  };
}

/** Decrypts the secrets at the first call only. */
function decryptedOnce(subscription: Subscription | null): Subscription | null {
  if (subscription === null) return null;
  let secrets: ReturnType<Subscription["secretsAt"]> | null = null;
  return {
    ...subscription,
    secretsAt: (now) => {
      secrets ??= subscription.secretsAt(now);
      return secrets;
    },
  };
}
