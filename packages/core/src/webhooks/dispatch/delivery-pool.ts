import { setImmediate as nextTurn } from "node:timers/promises";
import { randomToken } from "../../kernel/random.js";
import type { Subscription } from "../deliveries/subscription.js";
import type { Delivery, Lease } from "../delivery.js";
import { SEND_DEADLINE_MS } from "../transport/sender.js";
import type { WebhookContext } from "../webhook-context.js";
import { type AttemptResult, LEASE_MS, makeAttempt, releaseUncalled, settleAttempt } from "./attempt-delivery.js";
import { ConcurrencySlots } from "./concurrency-slots.js";
import { type Mode, nextMode, type Signal } from "./dispatch-mode.js";
import { type RecordedHealth, recordHealthOnce } from "./endpoint-health.js";
import { createSubscriptionLoader } from "./subscription-loader.js";

/** Receives the result of each delivery. null = it was released or not settled, so it is claimed again. */
export type OnEnd = (result: AttemptResult | null) => void;

/** New deliveries; some may already hold a slot. */
export interface Reservation {
  /** To be inserted. Deliveries with a slot are leased; older due deliveries take precedence. */
  readonly deliveries: readonly Delivery[];
  /** True when all deliveries hold a slot; the others wait to be claimed. */
  readonly isWhole: boolean;
  /**
   * Reports the outcome of the insertion. After `"added"` the deliveries with a slot are sent, as they were `made`: null =
   * it was not, after all. Default: as they are. After `"unknown"` those that exist are released without a call.
   */
  settle(outcome: Addition, made?: readonly (Made | null)[]): void;
}

/** A delivery as it is stored. */
export interface Made {
  readonly delivery: Delivery;
  readonly subscription: Subscription | null; // as it was a moment ago; null = it is read before the call
}

export type Addition = "added" | "not-added" | "unknown";

const unread = (delivery: Delivery): Made => ({ delivery, subscription: null });

/** What became of a delivery: it was made, or the outcome. */
type Insertion = Made | "not-added" | "unknown";

/** The delivery as it was made, if this process still has its lease. */
function ownOf({ lease }: Delivery, made: Made | null | undefined): Insertion {
  const isOwn = made?.delivery.lease?.token === lease?.token;
  return made && isOwn ? made : "not-added";
}

const TOKEN_BYTES = 12;

/**
 * The deliveries that this process has leased. A slot is free when the call ends, before the delivery is settled, so
 * that settlements and the next claim reach the store together.
 */
export class DeliveryPool {
  readonly #context: WebhookContext;
  readonly #onWork: () => void;
  readonly #slots: ConcurrencySlots;
  readonly #loadSubscription;
  #mode: Mode = "stopped";
  #run = { isActive: true }; // replaced by stop()
  #lastClaim: Promise<unknown> = Promise.resolve();
  #unsettled = 0;
  #endOfTurn: Promise<RecordedHealth> | null = null; // null = no call has ended in this turn
  #change = deferred();

  /** `onWork` is called when a claim may find deliveries, or the next retry may be due earlier than known. */
  constructor(context: WebhookContext, onWork: () => void) {
    this.#context = context;
    this.#onWork = onWork;
    this.#slots = new ConcurrencySlots(context.concurrency);
    this.#loadSubscription = createSubscriptionLoader(context);
  }

  get isStarted(): boolean {
    return this.#mode !== "stopped";
  }

  start(): void {
    this.#signal("start");
  }

  /**
   * Releases the claimed deliveries without a call, so that another process can claim them at once. Resolves when all
   * calls in flight are settled. Ticks can use the pool afterwards.
   */
  async stop(): Promise<void> {
    this.#signal("stop");
    this.#run.isActive = false;
    this.#run = { isActive: true };
    await this.#lastClaim;
    while (this.#unsettled > 0) await this.nextChange();
  }

  /** The result returns false once stop() has been called. */
  untilStop(): () => boolean {
    const run = this.#run;
    return () => run.isActive;
  }

  /**
   * Claims due deliveries and starts to send them; returns their number. Claims run one after the other, because
   * concurrent ones would fill the same slots; `limit` is called when this one starts.
   */
  claim(limit: () => number, onEnd: OnEnd = () => {}): Promise<number> {
    const claim = this.#lastClaim.then(() => this.#claim(limit(), onEnd));
    this.#lastClaim = claim.catch(() => {});
    return claim;
  }

  /** Takes slots for new deliveries before they are inserted, so that these need no claim. */
  reserve(deliveries: readonly Delivery[]): Reservation {
    const mayCall = this.#whileLeased();
    const lease = this.#newLease();
    const insertion = deferred<readonly [Addition, readonly (Made | null)[]]>();
    const reserved: readonly Delivery[] = deliveries.map((delivery, index) => {
      if (delivery.order !== undefined) return delivery; // a claim starts its turn
      if (this.#mode === "idle" && !this.#mayStart(delivery)) this.#signal("no-slot");
      if (this.#mode !== "idle") return delivery; // nor may a later delivery overtake this one
      const leased = { ...delivery, attempts: 1, attemptsSinceRestart: 1, lease };
      const inserted = insertion.promise.then(([outcome, made]) =>
        outcome === "added" ? ownOf(leased, made[index]) : outcome,
      );
      void this.#deliver(leased, inserted, mayCall, () => {});
      return leased;
    });
    const isWhole = reserved.every((delivery) => delivery.lease !== null);
    const settle: Reservation["settle"] = (outcome, made = reserved.map(unread)) => insertion.resolve([outcome, made]);
    return { deliveries: reserved, isWhole, settle };
  }

  /** Resolves when a call ends or a delivery is settled after this call. */
  nextChange(): Promise<void> {
    return this.#change.promise;
  }

  async #claim(limit: number, onEnd: OnEnd): Promise<number> {
    const { store, clock, concurrency } = this.#context;
    this.#signal("claim");
    let isWhole = false; // true = the claim took all that is due
    try {
      const free = Math.min(limit, this.#startable());
      if (free <= 0) return 0;
      const { perBusiness, perSubscriber } = concurrency;
      const mayCall = this.#whileLeased();
      const { freed } = this.#slots;
      const inFlight = this.#slots.inFlight();
      const lease = this.#newLease();
      const due = { lease, now: clock.now(), limit: free, perBusiness, perSubscriber, inFlight };
      const claimed = await store.claimDue(due);
      for (const delivery of claimed) void this.#deliver(delivery, unread(delivery), mayCall, onEnd);
      isWhole = claimed.length < free && freed === this.#slots.freed && !this.#slots.isShareFull();
      return claimed.length;
    } finally {
      this.#signal(isWhole ? "claimed-all" : "claimed-some");
    }
  }

  /** Never rejects. The delivery holds a slot until its call has ended. */
  async #deliver(
    delivery: Delivery,
    insertion: Made | Promise<Insertion>,
    mayCall: () => boolean,
    onEnd: OnEnd,
  ): Promise<void> {
    const freeSlot = this.#slots.take(delivery);
    this.#unsettled += 1;
    let result: AttemptResult | null = null;
    let isDue = true; // the delivery, now or later
    try {
      const inserted = await insertion;
      if (typeof inserted === "object") result = await this.#attempt(inserted, mayCall, freeSlot);
      else if (inserted === "unknown") await releaseUncalled(this.#context, delivery);
      const isFollowed = delivery.order !== undefined; // by the next of its subject
      isDue = inserted !== "not-added" && (result?.status !== "delivered" || isFollowed);
    } catch (error) {
      this.#context.onError(error);
    }
    freeSlot();
    const wasCrowded = this.#unsettled - this.#slots.used > this.#context.concurrency.total;
    this.#unsettled -= 1;
    onEnd(result);
    this.#announce(isDue || ((wasCrowded || result === null) && this.#mayWait()));
  }

  async #attempt(
    { delivery, subscription: known }: Made,
    mayCall: () => boolean,
    freeSlot: () => void,
  ): Promise<AttemptResult | null> {
    const subscription = known ?? (await this.#loadSubscription(delivery));
    if (!mayCall()) return releaseUncalled(this.#context, delivery);
    const made = await makeAttempt(this.#context, delivery, subscription);
    if (made.attempt === null) return settleAttempt(this.#context, delivery, made);
    freeSlot();
    const recorded = await this.#afterTurn();
    const result = await settleAttempt(this.#context, delivery, made);
    if (made.health !== null) await recordHealthOnce(this.#context, made.health, recorded);
    return result;
  }

  /** Groups the calls that end in one turn of the event loop: they are settled, and their slots filled, together. */
  #afterTurn(): Promise<RecordedHealth> {
    this.#endOfTurn ??= nextTurn().then(() => {
      this.#endOfTurn = null;
      this.#announce(this.#mayWait());
      return new Map();
    });
    return this.#endOfTurn;
  }

  #announce(mayHaveWork: boolean): void {
    const { resolve } = this.#change;
    this.#change = deferred();
    resolve();
    if (mayHaveWork) this.#onWork();
  }

  #mayWait(): boolean {
    return this.#mode === "full" || this.#mode === "claiming";
  }

  #mayStart(delivery: Delivery): boolean {
    return this.#startable() > 0 && this.#slots.hasRoomFor(delivery);
  }

  /** How many deliveries have a slot. Those that are not settled are limited too: at most two for each slot. */
  #startable(): number {
    const { total } = this.#context.concurrency;
    return Math.min(total - this.#slots.used, 2 * total - this.#unsettled);
  }

  /**
   * The result returns false once stop() has been called, or a call could outlive a lease that starts now: a process may
   * be paused before its call, and another one then has the delivery.
   */
  #whileLeased(): () => boolean {
    const { clock } = this.#context;
    const isActive = this.untilStop();
    const startedMs = clock.monotonicMs();
    return () => isActive() && clock.monotonicMs() - startedMs <= LEASE_MS - SEND_DEADLINE_MS;
  }

  #newLease(): Lease {
    const { random, clock } = this.#context;
    return { token: randomToken(random, TOKEN_BYTES), until: clock.now() + LEASE_MS };
  }

  #signal(signal: Signal): void {
    this.#mode = nextMode(this.#mode, signal);
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
