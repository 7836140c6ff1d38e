import { setImmediate as nextTurn } from "node:timers/promises";
import { randomToken } from "../kernel/digest.js";
import { type AttemptResult, attemptDelivery, giveBack, LEASE_MS } from "./attempt-delivery.js";
import type { Delivery, Lease } from "./delivery.js";
import { createDeliveryPlaces, reachesShare } from "./delivery-places.js";
import { SEND_DEADLINE_MS } from "./sender.js";
import { createSubscriptionFinder } from "./subscription-finder.js";
import type { WebhookContext } from "./webhook-context.js";

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
  /** Takes places for new deliveries before they are added, so that they need not be claimed. */
  reserve(deliveries: readonly Delivery[]): Reservation;
  /** Resolves when calls have ended, or deliveries are settled, after it was asked for. */
  nextChange(): Promise<void>;
  /**
   * Gives back what is claimed and not called yet, so that whoever comes next has it at once; resolves when nothing is
   * under way. What is begun afterwards is as ever.
   */
  stop(): Promise<void>;
}

/** New deliveries, of which some have a place. */
export interface Reservation {
  /** As they are to be added: under a lease where there is a place, and nothing that was due before waits for one. */
  readonly deliveries: readonly Delivery[];
  /** Whether all of them have one; the others wait to be claimed. */
  readonly isWhole: boolean;
  /**
   * Says what became of them, so that those that have a place are sent once they are durable. Where nobody knows whether
   * they were added, those that were are given back.
   */
  settle(outcome: Addition): void;
}

export type Addition = "added" | "not-added" | "unknown";

const LEASE_ID_BYTES = 12;

/** Times as many as there are places: what waits to be settled takes none, but may not pile up either. */
const MOST_RUNNING = 2;

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
  const places = createDeliveryPlaces(concurrency);
  const find = createSubscriptionFinder(context);
  let mayWait = true; // something may be due, or have been made since, that has no place
  let stops = 0;
  let turn: Promise<unknown> = Promise.resolve();
  let ending: Promise<void> | null = null;
  let change = deferred();

  function freePlaces(): number {
    return Math.min(total - places.count(), MOST_RUNNING * total - running.size);
  }

  async function claim(limit: number): Promise<readonly Promise<PooledResult>[]> {
    mayWait = true; // nothing is reserved meanwhile, or two would fill the same places
    const free = Math.min(limit, freePlaces());
    if (free <= 0) return [];
    const isStopped = isStoppedFromNow();
    const now = clock.now();
    const underWay = places.underWay();
    const lease = newLease();
    const deliveries = await store.claimDue({ lease, now, limit: free, perBusiness, perSubscriber, underWay });
    mayWait = deliveries.length === free || reachesShare(underWay, deliveries, concurrency);
    return deliveries.map((delivery) => run(delivery, (ended) => send(delivery, isStopped, ended)));
  }

  function reserve(deliveries: readonly Delivery[]): Reservation {
    const isStopped = isStoppedFromNow();
    const startedMs = clock.monotonicMs();
    const lease = newLease();
    const addition = deferred<Addition>();
    const mayNotCall = () => isStopped() || clock.monotonicMs() - startedMs > LEASE_MS - SEND_DEADLINE_MS;
    const adding = deliveries.map((delivery) => {
      mayWait ||= freePlaces() <= 0 || !places.hasRoomFor(delivery); // whoever comes next is not to overtake this one
      if (mayWait) return delivery;
      const leased = { ...delivery, attempts: 1, attemptsInRound: 1, lease };
      void run(leased, async (ended) => {
        const outcome = await addition.promise;
        if (outcome === "not-added") return outcome;
        return outcome === "added" ? send(leased, mayNotCall, ended) : giveBack(context, leased);
      });
      return leased;
    });
    return {
      deliveries: adding,
      isWhole: adding.every(({ lease }) => lease !== null),
      settle: addition.resolve,
    };
  }

  function newLease(): Lease {
    return { id: randomToken(random, LEASE_ID_BYTES), until: clock.now() + LEASE_MS };
  }

  function isStoppedFromNow(): () => boolean {
    const stopsBefore = stops;
    return () => stops !== stopsBefore;
  }

  async function send(
    delivery: Delivery,
    mayNotCall: () => boolean,
    ended: () => Promise<void>,
  ): Promise<PooledResult> {
    const subscription = await find(delivery);
    return mayNotCall() ? giveBack(context, delivery) : attemptDelivery(context, delivery, subscription, ended);
  }

  /** A delivery has a place until what is done with it ends, or says that its call has ended. */
  function run(
    delivery: Delivery,
    work: (ended: () => Promise<void>) => Promise<PooledResult | "not-added">,
  ): Promise<PooledResult> {
    const leave = places.take(delivery);
    const ended = async (): Promise<void> => {
      leave();
      await endOfTurn();
    };
    const worked = work(ended)
      .catch((error: unknown) => {
        context.onError(error);
        return null;
      })
      .finally(() => {
        leave();
        const wasCrowded = MOST_RUNNING * total - running.size < total - places.count(); // a claim may have had less than it could
        running.delete(result);
        if (mayWait && wasCrowded) announce(true);
      });
    const result = worked.then(
      (settled) => (settled === "not-added" ? null : settled),
      () => null, // whoever is told of errors threw one
    );
    running.add(result);
    void worked.then(
      (settled) => {
        if (settled === "not-added") announce(mayWait);
        else announce(settled?.status !== "delivered");
      },
      () => announce(true),
    );
    return result;
  }

  /** Calls that end in one turn of the event loop are settled, and their places filled, at once. */
  function endOfTurn(): Promise<void> {
    ending ??= nextTurn().then(() => {
      ending = null;
      announce(mayWait);
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
    reserve,
    nextChange: () => change.promise,
    stop: async () => {
      stops += 1;
      await turn;
      await Promise.all(running);
    },
  };
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

function deferred<T = void>(): Deferred<T> {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
