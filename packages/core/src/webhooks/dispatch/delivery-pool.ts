import { setImmediate as nextTurn } from "node:timers/promises";
import { randomToken } from "../../kernel/random.js";
import type { Delivery, Lease } from "../delivery.js";
import { SEND_DEADLINE_MS } from "../transport/sender.js";
import type { Concurrency, WebhookContext } from "../webhook-context.js";
import { type AttemptResult, attemptDelivery, LEASE_MS, releaseUncalled } from "./attempt-delivery.js";
import { createConcurrencySlots, reachesShare } from "./concurrency-slots.js";
import { createSubscriptionLoader } from "./subscription-loader.js";

/**
 * The result of one delivery. null = it was released without a call, or could not be settled: it is claimed again, at
 * the latest when its lease expires.
 */
export type PooledResult = AttemptResult | null;

/** The calls in flight. Their number never exceeds the concurrency limits. */
export interface DeliveryPool {
  /**
   * Claims due deliveries and starts to send them. Claims run one after the other; `limit` is called when this claim
   * starts. Returns one promise per delivery, which never rejects.
   */
  begin(limit: () => number): Promise<readonly Promise<PooledResult>[]>;
  /** Takes slots for new deliveries before they are inserted, so that these need no claim. */
  reserve(deliveries: readonly Delivery[]): Reservation;
  /** Resolves when a call ends or a delivery is settled after this call. */
  nextChange(): Promise<void>;
  /**
   * Releases the claimed deliveries without a call, so that another process can claim them at once. Resolves when no call
   * is in flight. The pool can be used again afterwards.
   */
  stop(): Promise<void>;
}

/** New deliveries; some may already hold a slot. */
export interface Reservation {
  /** To be inserted. Deliveries with a slot are leased; older due deliveries take precedence. */
  readonly deliveries: readonly Delivery[];
  /** True when all deliveries hold a slot; the others wait to be claimed. */
  readonly isWhole: boolean;
  /**
   * Reports the outcome of the insertion. After `"added"` the deliveries with a slot are sent; after `"unknown"` those that
   * exist are released without a call.
   */
  settle(outcome: Addition): void;
}

export type Addition = "added" | "not-added" | "unknown";

const TOKEN_BYTES = 12;

/** A multiple of the slots: an unsettled delivery holds no slot, but their number is limited too. */
const MAX_RUNNING_PER_SLOT = 2;

/**
 * A slot is free when the call ends, before the delivery is settled, so that the settlements and the next claim reach the
 * store together. `onChange` is called when there may be work: slots are free, or a retry is scheduled.
 * Throws a RangeError with the name of the option for a limit that is no whole number from 1.
 */
export function createDeliveryPool(context: WebhookContext, onChange: () => void): DeliveryPool {
  const { total, perBusiness, perSubscriber } = context.concurrency;
  for (const [name, limit] of Object.entries({ total, perBusiness, perSubscriber })) {
    if (!Number.isInteger(limit) || limit < 1) {
      throw new RangeError(`webhooks.concurrency.${name} must be a whole number from 1: ${limit}`);
    }
  }
  return new Pool(context, onChange);
}

/** Frees the slot of a call that has ended; resolves when its settlement may be sent. */
type EndCall = () => Promise<void>;

class Pool implements DeliveryPool {
  readonly #context: WebhookContext;
  readonly #concurrency: Concurrency;
  readonly #onChange: () => void;
  readonly #slots;
  readonly #loadSubscription;
  readonly #running = new Set<Promise<PooledResult>>(); // until the settlement ends
  #mayWait = true; // true = deliveries may be waiting for a slot
  #stops = 0; // calls of stop()
  #lastClaim: Promise<unknown> = Promise.resolve();
  #endOfTurn: Promise<void> | null = null; // null = no call has ended in this turn
  #change = deferred();

  constructor(context: WebhookContext, onChange: () => void) {
    this.#context = context;
    this.#concurrency = context.concurrency;
    this.#onChange = onChange;
    this.#slots = createConcurrencySlots(context.concurrency);
    this.#loadSubscription = createSubscriptionLoader(context);
  }

  /** One claim at a time: concurrent claims would fill the same slots. */
  begin(limit: () => number): Promise<readonly Promise<PooledResult>[]> {
    const claim = this.#lastClaim.then(() => this.#claim(limit()));
    this.#lastClaim = claim.catch(() => {});
    return claim;
  }

  reserve(deliveries: readonly Delivery[]): Reservation {
    const { clock } = this.#context;
    const isStopped = this.#stopCheck();
    const startedMs = clock.monotonicMs();
    const mayNotCall = () => isStopped() || clock.monotonicMs() - startedMs > LEASE_MS - SEND_DEADLINE_MS;
    const lease = this.#newLease();
    const insertion = deferred<Addition>();
    const reserved = deliveries.map((delivery) => {
      this.#mayWait ||= this.#freeSlots() <= 0 || !this.#slots.hasRoomFor(delivery);
      if (this.#mayWait) return delivery; // nor may a later delivery overtake this one
      const leased = { ...delivery, attempts: 1, attemptsSinceRestart: 1, lease };
      void this.#run(leased, async (endCall) => {
        const outcome = await insertion.promise;
        if (outcome === "not-added") return outcome;
        return outcome === "added" ? this.#send(leased, mayNotCall, endCall) : releaseUncalled(this.#context, leased);
      });
      return leased;
    });
    const isWhole = reserved.every((delivery) => delivery.lease !== null);
    return { deliveries: reserved, isWhole, settle: insertion.resolve };
  }

  nextChange(): Promise<void> {
    return this.#change.promise;
  }

  async stop(): Promise<void> {
    this.#stops += 1;
    await this.#lastClaim;
    await Promise.all(this.#running);
  }

  async #claim(limit: number): Promise<readonly Promise<PooledResult>[]> {
    this.#mayWait = true; // prevents reservations during the claim, which would fill the same slots
    const free = Math.min(limit, this.#freeSlots());
    if (free <= 0) return [];
    const isStopped = this.#stopCheck();
    const { store, clock } = this.#context;
    const { perBusiness, perSubscriber } = this.#concurrency;
    const now = clock.now();
    const inFlight = this.#slots.inFlight();
    const lease = this.#newLease();
    const claimed = await store.claimDue({ lease, now, limit: free, perBusiness, perSubscriber, inFlight });
    this.#mayWait = claimed.length === free || reachesShare(inFlight, claimed, this.#concurrency);
    return claimed.map((delivery) => this.#run(delivery, (endCall) => this.#send(delivery, isStopped, endCall)));
  }

  async #send(delivery: Delivery, mayNotCall: () => boolean, endCall: EndCall): Promise<PooledResult> {
    const subscription = await this.#loadSubscription(delivery);
    if (mayNotCall()) return releaseUncalled(this.#context, delivery);
    return attemptDelivery(this.#context, delivery, subscription, endCall);
  }

  /** The delivery holds a slot until `work` calls `endCall` or settles. */
  #run(delivery: Delivery, work: (endCall: EndCall) => Promise<PooledResult | "not-added">): Promise<PooledResult> {
    const freeSlot = this.#slots.take(delivery);
    const endCall = async (): Promise<void> => {
      freeSlot();
      await this.#afterTurn();
    };
    const worked = work(endCall)
      .catch((error: unknown) => {
        this.#context.onError(error);
        return null;
      })
      .finally(() => {
        freeSlot();
        const wasCrowded = this.#runningLimit() < this.#concurrency.total - this.#slots.count(); // a claim may have been cut short
        this.#running.delete(result);
        if (this.#mayWait && wasCrowded) this.#announce(true);
      });
    const result = worked.then(
      (settled) => (settled === "not-added" ? null : settled),
      () => null, // onError threw
    );
    this.#running.add(result);
    void worked.then(
      (settled) => this.#announce(settled === "not-added" ? this.#mayWait : settled?.status !== "delivered"),
      () => this.#announce(true),
    );
    return result;
  }

  /** Groups the calls that end in one turn of the event loop: they are settled, and their slots filled, together. */
  #afterTurn(): Promise<void> {
    this.#endOfTurn ??= nextTurn().then(() => {
      this.#endOfTurn = null;
      this.#announce(this.#mayWait);
    });
    return this.#endOfTurn;
  }

  #announce(mayHaveWork: boolean): void {
    const { resolve } = this.#change;
    this.#change = deferred();
    resolve();
    if (mayHaveWork) this.#onChange();
  }

  #freeSlots(): number {
    return Math.min(this.#concurrency.total - this.#slots.count(), this.#runningLimit());
  }

  /** How many deliveries may still be started until enough are settled. */
  #runningLimit(): number {
    return MAX_RUNNING_PER_SLOT * this.#concurrency.total - this.#running.size;
  }

  #newLease(): Lease {
    const { random, clock } = this.#context;
    return { token: randomToken(random, TOKEN_BYTES), until: clock.now() + LEASE_MS };
  }

  /** The result returns true once stop() has been called. */
  #stopCheck(): () => boolean {
    const stopsBefore = this.#stops;
    return () => this.#stops !== stopsBefore;
  }
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
