import { setImmediate as nextTurn } from "node:timers/promises";
import { SECOND_MS } from "../../kernel/clock.js";
import { randomToken } from "../../kernel/random.js";
import type { Subscription } from "../deliveries/subscription.js";
import type { Delivery, Lease } from "../delivery.js";
import type { WebhookContext } from "../webhook-context.js";
import {
  type AttemptResult,
  CALLS_WITHIN_MS,
  LEASE_MS,
  makeAttempt,
  releaseUncalled,
  settleAttempt,
} from "./attempt-delivery.js";
import { ConcurrencySlots, type Slot } from "./concurrency-slots.js";
import { type Mode, nextMode, type Signal } from "./dispatch-mode.js";
import { isNews, type RecordedHealth, recordHealthOnce } from "./endpoint-health.js";
import { createSubscriptionLoader } from "./subscription-loader.js";

/** Receives the result of each delivery. null = it was released or not settled, so it is claimed again. */
export type OnEnd = (result: AttemptResult | null) => void;

/** New deliveries; some may already hold a slot. */
export interface Reservation {
  /** To be inserted. Deliveries with a slot are leased; the others wait to be claimed. Those that a claim has left take precedence. */
  readonly deliveries: readonly Delivery[];
  /** Reports what was made of each; null = nothing. Those with a slot are sent; after `"unknown"`, released without a call. */
  settle(made: readonly (Made | null)[] | "unknown"): void;
}

/** A delivery as it is stored. */
export interface Made {
  readonly delivery: Delivery;
  readonly subscription: Subscription | null; // as it was a moment ago; null = it is read before the call
}

const TOKEN_BYTES = 12;

/**
 * What has waited this long for its slot is given back at the next claim. Claims ahead count on calls that end soon: where
 * receivers become slow, another process may have what waits here. What gets a slot before that is called.
 */
const WAITS_MS = SECOND_MS;

/**
 * The deliveries that this process has leased. A slot is free when the call ends, before the delivery is settled, so
 * that settlements and the next claim reach the store together.
 */
export class DeliveryPool {
  readonly #context: WebhookContext;
  readonly #onWork: () => void;
  readonly #slots: ConcurrencySlots;
  #loadSubscription;
  #mode: Mode = "stopped";
  #run = { isActive: true }; // replaced by stop()
  #lastClaim: Promise<unknown> = Promise.resolve();
  #unsettled = 0;
  #failedCalls = 0;
  #endOfTurn: Promise<RecordedHealth> | null = null; // null = no call has ended in this turn
  #change: Promise<void> | null = null; // null = no caller waits for one
  #onChange = (): void => {};

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

  /** True when deliveries may be waiting, and no claim can find a slot for them before the next change. */
  get isFull(): boolean {
    return this.#mode === "full" && this.#slots.free <= 0;
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
    this.#slots.release();
    while (this.#unsettled > 0) await this.nextChange();
  }

  /** Reads subscribers anew, also those whose version is known: after lost commits it may be another one. */
  forgetSubscriptions(): void {
    this.#loadSubscription = createSubscriptionLoader(this.#context);
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
    let settle: Reservation["settle"] = () => {};
    const insertion = new Promise<Parameters<Reservation["settle"]>[0]>((resolve) => {
      settle = resolve;
    });
    const reserved = deliveries.map((delivery, index) => {
      if (delivery.order !== undefined) return delivery; // a claim starts its turn
      const hasSlot = () => this.#startable(0) > 0 && this.#slots.hasRoomFor(delivery);
      if (this.#mode === "idle" && !hasSlot()) this.#signal("no-slot");
      if (this.#mode !== "idle") return delivery; // nor may a later delivery overtake this one
      const leased = { ...delivery, attempts: 1, attemptsSinceRestart: 1, lease };
      const inserted = insertion.then((made) => (made === "unknown" ? made : (made[index] ?? null)));
      void this.#deliver(leased, inserted, mayCall, () => {});
      return leased;
    });
    return { deliveries: reserved, settle };
  }

  /** Resolves when a call ends or a delivery is settled after this call. */
  nextChange(): Promise<void> {
    this.#change ??= new Promise((resolve) => {
      this.#onChange = resolve;
    });
    return this.#change;
  }

  async #claim(limit: number, onEnd: OnEnd): Promise<number> {
    const { store, clock } = this.#context;
    this.#signal("claim");
    let isWhole = false; // true = the claim took all that is due
    this.#slots.release(clock.monotonicMs() - WAITS_MS);
    try {
      const room = Math.min(limit, this.#startable(this.#slots.ahead));
      if (room <= 0) return 0;
      const mayCall = this.#whileLeased();
      const shares = this.#slots.beginClaim();
      const lease = this.#newLease();
      const claimed = await store.claimDue({ lease, now: clock.now(), limit: room, ...shares });
      this.#slots.endClaim();
      for (const delivery of claimed) void this.#deliver(delivery, { delivery, subscription: null }, mayCall, onEnd);
      isWhole = claimed.length < room && !this.#slots.hasEndedInClaim && !this.#slots.isShareFull();
      if (claimed.length === room && this.#slots.free > 0) this.#announce(true); // some wait, and others may not have to
      return claimed.length;
    } finally {
      this.#signal(isWhole ? "claimed-all" : "claimed-some");
    }
  }

  /** Never rejects. The delivery waits for a slot, and holds it until its call has ended. */
  async #deliver(
    delivery: Delivery,
    insertion: Made | Promise<Made | null | "unknown">,
    mayCall: () => boolean,
    onEnd: OnEnd,
  ): Promise<void> {
    const { clock } = this.#context;
    const entered = this.#slots.enter(delivery, clock.monotonicMs());
    this.#unsettled += 1;
    const slot = await entered;
    let result: AttemptResult | null = null;
    let isDue = true; // the delivery, now or later
    try {
      const made = await insertion;
      const isOwn = made !== "unknown" && made?.delivery.lease?.token === delivery.lease?.token;
      if (made === "unknown" || (!slot.isForCall && isOwn)) await releaseUncalled(this.#context, delivery);
      else if (made !== null && isOwn) result = await this.#attempt(made, mayCall, slot);
      const isFollowed = delivery.order !== undefined; // by the next of its subject
      isDue = (made === "unknown" || isOwn) && (result?.status !== "delivered" || isFollowed);
    } catch (error) {
      this.#context.onError(error);
    }
    slot.free();
    const wasCrowded = this.#unsettled - this.#slots.held > this.#context.concurrency.total;
    this.#unsettled -= 1;
    onEnd(result);
    this.#announce(isDue || ((wasCrowded || result === null) && this.#mayWait()));
  }

  async #attempt(
    { delivery, subscription: known }: Made,
    mayCall: () => boolean,
    slot: Slot,
  ): Promise<AttemptResult | null> {
    const failedBefore = this.#failedCalls;
    const subscription = known ?? (await this.#loadSubscription(delivery));
    if (!mayCall()) return releaseUncalled(this.#context, delivery);
    const made = await makeAttempt(this.#context, delivery, subscription);
    if (made.attempt === null) return settleAttempt(this.#context, delivery, made);
    if (made.next.status !== "delivered") this.#failedCalls += 1;
    slot.free();
    const recorded = await this.#afterTurn();
    const result = await settleAttempt(this.#context, delivery, made);
    const { health } = made;
    if (health !== null && isNews(health, this.#failedCalls > failedBefore)) {
      await recordHealthOnce(this.#context, health, recorded);
      if (health.signal !== "works") this.#failedCalls += 1; // for calls that have read the endpoint meanwhile
    }
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
    this.#onChange();
    this.#change = null;
    if (mayHaveWork) this.#onWork();
  }

  #mayWait(): boolean {
    return this.#mode === "full" || this.#mode === "claiming";
  }

  /**
   * How many deliveries a claim may take, `ahead` of them to wait for a slot. Those that are not settled are limited too:
   * at most three for each slot, beside those that wait. When no slot is free, few large claims are better than many small
   * ones.
   */
  #startable(ahead: number): number {
    const { free, held, waiting } = this.#slots;
    const { total } = this.#context.concurrency;
    const settling = this.#unsettled - held;
    const room = Math.min(free + Math.max(0, ahead - waiting), free + 2 * total - settling);
    return free === 0 && room < total / 2 ? 0 : room;
  }

  /**
   * The result returns false once stop() has been called, or a call could outlive a lease that starts now: a process may
   * be paused before its call, and another one then has the delivery.
   */
  #whileLeased(): () => boolean {
    const { clock } = this.#context;
    const isActive = this.untilStop();
    const startedMs = clock.monotonicMs();
    return () => isActive() && clock.monotonicMs() - startedMs <= CALLS_WITHIN_MS;
  }

  #newLease(): Lease {
    const { random, clock } = this.#context;
    return { token: randomToken(random, TOKEN_BYTES), until: clock.now() + LEASE_MS };
  }

  #signal(signal: Signal): void {
    this.#mode = nextMode(this.#mode, signal);
  }
}
