import { setImmediate as nextTurn } from "node:timers/promises";
import type { Delivery } from "./delivery.js";
import { findSubscription, type Subscription } from "./subscription.js";
import type { WebhookContext } from "./webhook-context.js";

/** Gives who a delivery goes to as they are now; null when they take it no more. */
export type FindSubscription = (delivery: Delivery) => Promise<Subscription | null>;

/**
 * Whoever is asked for in one turn of the event loop is looked up once, and their secrets are opened once: deliveries
 * that are about to be called at the same time share what is being read. Who asks after the answer, or in a later turn,
 * asks anew.
 */
export function createSubscriptionFinder(context: WebhookContext): FindSubscription {
  const found = new Map<string, Promise<Subscription | null>>();
  return (delivery) => {
    const { businessId, subscriber, eventId, eventType } = delivery;
    const name = [businessId, subscriber.kind, subscriber.id, eventId === null, eventType].join(" ");
    const known = found.get(name);
    if (known !== undefined) return known;
    const subscription = findSubscription(context, delivery, context.clock.now()).then(openedOnce);
    const forget = (): void => {
      if (found.get(name) === subscription) found.delete(name);
    };
    found.set(name, subscription);
    subscription.then(forget, forget);
    void nextTurn().then(forget);
    return subscription;
  };
}

/** The same with secrets that are opened at the first call and not at each. */
function openedOnce(subscription: Subscription | null): Subscription | null {
  if (subscription === null) return null;
  let opened: ReturnType<Subscription["secretsAt"]> | null = null;
  return {
    ...subscription,
    secretsAt: (now) => {
      opened ??= subscription.secretsAt(now);
      return opened;
    },
  };
}
