import { randomToken } from "../kernel/digest.js";
import { type AttemptResult, attemptDelivery, LEASE_MS } from "./attempt-delivery.js";
import type { Delivery, Subscriber } from "./delivery.js";
import { findSubscription, type Subscription } from "./subscription.js";
import type { WebhookContext } from "./webhook-context.js";

/** What became of one delivery; null when it could not be settled: its lease lapses, and it is claimed again. */
export type PooledResult = AttemptResult | null;

/** The calls that are under way, never more than the caps allow. */
export interface DeliveryPool {
  /** Claims at most `limit` due deliveries and begins to send them; gives one promise each, which never rejects. */
  begin(limit: number): Promise<readonly Promise<PooledResult>[]>;
  /** Resolves when nothing is under way. */
  drain(): Promise<void>;
}

const LEASE_ID_BYTES = 12;

/** `onFree` is called whenever a call has ended and its place is free. Throws a RangeError for caps below 1. */
export function createDeliveryPool(context: WebhookContext, onFree: () => void): DeliveryPool {
  const { store, clock, random, concurrency } = context;
  for (const cap of [concurrency.total, concurrency.perSubscriber]) {
    if (!Number.isInteger(cap) || cap < 1) throw new RangeError(`no number of concurrent calls: ${cap}`);
  }
  const running = new Set<Promise<PooledResult>>();
  const busy = new Map<string, { readonly subscriber: Subscriber; calls: number }>();
  let turn: Promise<unknown> = Promise.resolve();
  // A subscriber is claimed for again as soon as so many of its places are free: claims take several at a time.
  const perClaim = Math.max(1, Math.floor(concurrency.perSubscriber / 2));

  async function claim(limit: number): Promise<readonly Promise<PooledResult>[]> {
    const free = Math.min(limit, concurrency.total - running.size);
    if (free <= 0) return [];
    const now = clock.now();
    const full = [...busy.values()].filter(({ calls }) => calls > concurrency.perSubscriber - perClaim);
    const deliveries = await store.claimDue({
      lease: { id: randomToken(random, LEASE_ID_BYTES), until: now + LEASE_MS },
      now,
      limit: free,
      perSubscriber: perClaim,
      except: full.map(({ subscriber }) => subscriber),
    });
    const subscriptions = new Map<string, Promise<Subscription | null>>();
    return deliveries.map((delivery) => {
      const name = `${nameOf(delivery)} ${delivery.eventType}`;
      const subscription = subscriptions.get(name) ?? findSubscription(context, delivery, now);
      subscriptions.set(name, subscription);
      return run(delivery, subscription);
    });
  }

  function run(delivery: Delivery, subscription: Promise<Subscription | null>): Promise<PooledResult> {
    const place = busy.get(nameOf(delivery)) ?? { subscriber: delivery.subscriber, calls: 0 };
    busy.set(nameOf(delivery), place);
    place.calls += 1;
    const result = subscription
      .then((found) => attemptDelivery(context, delivery, found))
      .catch((error: unknown) => {
        context.onError(error);
        return null;
      })
      .finally(() => {
        place.calls -= 1;
        if (place.calls === 0) busy.delete(nameOf(delivery));
        running.delete(result);
        onFree();
      });
    running.add(result);
    return result;
  }

  return {
    begin: (limit) => {
      const begun = turn.then(() => claim(limit)); // one claim at a time, or two would fill the same places
      turn = begun.catch(() => {});
      return begun;
    },
    drain: async () => {
      await turn;
      await Promise.all(running);
    },
  };
}

function nameOf({ businessId, subscriber }: Delivery): string {
  return `${businessId} ${subscriber.kind} ${subscriber.id}`;
}
