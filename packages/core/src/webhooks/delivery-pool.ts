import { setImmediate as nextTurn } from "node:timers/promises";
import { randomToken } from "../kernel/digest.js";
import { type AttemptResult, attemptDelivery, giveBack, LEASE_MS } from "./attempt-delivery.js";
import type { Delivery } from "./delivery.js";
import { findSubscription, type Subscription } from "./subscription.js";
import type { WebhookContext } from "./webhook-context.js";
import type { UnderWay } from "./webhook-store.js";

/**
 * What became of one delivery; null when nothing did: it was given back, or could not be settled, and is claimed again
 * when its lease lapses.
 */
export type PooledResult = AttemptResult | null;

/** The calls that are under way, never more than the caps allow. */
export interface DeliveryPool {
  /**
   * Claims due deliveries, at most as many as `limit` says when its turn has come, and begins to send them; gives one
   * promise each, which never rejects.
   */
  begin(limit: () => number): Promise<readonly Promise<PooledResult>[]>;
  /** Resolves when calls have ended, or deliveries are settled, after it was asked for. */
  nextChange(): Promise<void>;
  /**
   * Gives back what is claimed and not called yet, so that whoever comes next has it at once; resolves when nothing is
   * under way. What is begun afterwards is as ever.
   */
  stop(): Promise<void>;
}

const LEASE_ID_BYTES = 12;

/**
 * A place falls free with the end of a call, not with its settlement: both that and the next claim go to the store
 * together. `onChange` is called when there is reason to look for work: places are free, or a retry has its time.
 * Throws a RangeError, by the name of the option, for caps that are no whole number from 1.
 */
export function createDeliveryPool(context: WebhookContext, onChange: () => void): DeliveryPool {
  const { store, clock, random, concurrency } = context;
  const { total, perBusiness, perSubscriber } = concurrency;
  for (const [name, cap] of Object.entries({ total, perBusiness, perSubscriber })) {
    if (!Number.isInteger(cap) || cap < 1) {
      throw new RangeError(`webhooks.concurrency.${name} must be a whole number from 1: ${cap}`);
    }
  }
  const running = new Set<Promise<PooledResult>>(); // settlements included
  const calls = new Map<string, UnderWay>(); // by subscriber
  let callCount = 0;
  let stops = 0;
  let turn: Promise<unknown> = Promise.resolve();
  let ending: Promise<void> | null = null;
  let change = deferred();

  async function claim(limit: number): Promise<readonly Promise<PooledResult>[]> {
    // What waits to be settled takes no place, but may not pile up either.
    const free = Math.min(limit, total - callCount, 2 * total - running.size);
    if (free <= 0) return [];
    const stopsBefore = stops;
    const isStopped = () => stops !== stopsBefore;
    const now = clock.now();
    const lease = { id: randomToken(random, LEASE_ID_BYTES), until: now + LEASE_MS };
    const underWay = [...calls.values()];
    const deliveries = await store.claimDue({ lease, now, limit: free, perBusiness, perSubscriber, underWay });
    // Looked up once for all that are claimed together: they are called at once, before anybody can be revoked.
    const subscriptions = new Map<string, Promise<Subscription | null>>();
    return deliveries.map((delivery) => {
      const name = `${nameOf(delivery)} ${delivery.eventType}`;
      const subscription = subscriptions.get(name) ?? findSubscription(context, delivery, now).then(openedOnce);
      subscriptions.set(name, subscription);
      return run(delivery, subscription, isStopped);
    });
  }

  function run(
    delivery: Delivery,
    subscription: Promise<Subscription | null>,
    isStopped: () => boolean,
  ): Promise<PooledResult> {
    const leave = takePlace(delivery);
    const ended = async (): Promise<void> => {
      leave();
      await endOfTurn();
    };
    const result = subscription
      .then((found) => (isStopped() ? giveBack(context, delivery) : attemptDelivery(context, delivery, found, ended)))
      .catch((error: unknown) => {
        context.onError(error);
        return null;
      })
      .finally(() => {
        leave();
        running.delete(result);
      });
    running.add(result);
    void result.then((settled) => announce(settled?.status !== "delivered"));
    return result;
  }

  /** Gives what leaves the place again, once. */
  function takePlace(delivery: Delivery): () => void {
    const name = nameOf(delivery);
    const { businessId, subscriber } = delivery;
    const count = (by: number): void => {
      const own = (calls.get(name)?.calls ?? 0) + by;
      callCount += by;
      if (own === 0) calls.delete(name);
      else calls.set(name, { businessId, subscriber, calls: own });
    };
    let isTaken = true;
    count(1);
    return () => {
      if (isTaken) count(-1);
      isTaken = false;
    };
  }

  /** Calls that end in one turn of the event loop are settled, and their places filled, at once. */
  function endOfTurn(): Promise<void> {
    ending ??= nextTurn().then(() => {
      ending = null;
      announce(true);
    });
    return ending;
  }

  function announce(isReason: boolean): void {
    const { resolve } = change;
    change = deferred();
    resolve();
    if (isReason) onChange();
  }

  return {
    begin: (limit) => {
      const begun = turn.then(() => claim(limit())); // one claim at a time, or two would fill the same places
      turn = begun.catch(() => {});
      return begun;
    },
    nextChange: () => change.promise,
    stop: async () => {
      stops += 1;
      await turn;
      await Promise.all(running);
    },
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

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function deferred(): Deferred {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function nameOf({ businessId, subscriber }: Delivery): string {
  return `${businessId} ${subscriber.kind} ${subscriber.id}`;
}
