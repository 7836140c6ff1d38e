import { setImmediate as nextTurn } from "node:timers/promises";
import { SECOND_MS } from "../../../kernel/clock.js";
import { createOneAtATime } from "../../../kernel/one-at-a-time.js";
import { randomToken } from "../../../kernel/random.js";
import type { Subscription } from "../../deliveries/subscription.js";
import type { Delivery } from "../../delivery.js";
import type { WebhookContext } from "../../webhook-context.js";
import {
  type AttemptResult,
  LEASE_MS,
  type Leased,
  type MadeAttempt,
  makeAttempt,
  releaseUncalled,
  settleAttempt,
} from "../attempt-delivery.js";
import { type HealthReport, isNews, type RecordedHealth, recordHealthOnce } from "../endpoint-health.js";
import { createSubscriptionLoader, type SubscriptionLoader } from "../subscription-loader.js";
import type { SlotHolder } from "./concurrency-slots.js";
import {
  cancelReservation,
  confirmReservation,
  countAll,
  countFailure,
  emptyPool,
  endCall,
  endSettlement,
  failClaim,
  giveBackWaiting,
  type HeldLease,
  hasUnusedSlots,
  isCrowded,
  isFull,
  type Job,
  type Moved,
  mayBeWaiting,
  mayCall,
  type OnEnd,
  type PoolState,
  receiveClaim,
  releaseReservation,
  reserveSlots,
  roomOfClaim,
  sendClaim,
  skipClaim,
  startPool,
  stopPool,
} from "./pool-state.js";

/** Slots for the deliveries of a commit. Each slot is settled once: by `send`, `cancel` or `release` of the pool. */
export interface Reservation {
  readonly held: HeldLease; // of the deliveries with a slot
  readonly slots: readonly (SlotHolder | null)[]; // in the order of the request; null = no slot
}

const TOKEN_BYTES = 12;

/**
 * A prefetched delivery that has waited this long for its slot is released by the next claim: its receiver has become
 * slow, and another process may have a slot.
 */
const MAX_WAIT_MS = SECOND_MS;

const CLAIM = "claim";

/**
 * Sends the deliveries that this process has leased. The README of the folder `dispatch` draws their states; `pool-state.ts` has the
 * transitions. A slot is free when the call ends, before the delivery is settled, so that settlements and the next claim
 * reach the store together.
 */
export class DeliveryPool {
  readonly #context: WebhookContext;
  readonly #onWork: () => void;
  readonly #subscriptions: SubscriptionLoader;
  readonly #oneAtATime = createOneAtATime();
  readonly #endOfTurn: () => Promise<RecordedHealth>;
  readonly #waitsForChange: (() => void)[] = [];
  #state: PoolState;

  /** `onWork` is called when a claim may find deliveries, or the next retry may be due earlier than known. */
  constructor(context: WebhookContext, onWork: () => void) {
    this.#context = context;
    this.#onWork = onWork;
    this.#subscriptions = createSubscriptionLoader(context);
    this.#state = emptyPool(context.concurrency);
    this.#endOfTurn = oncePerTurn(() => {
      this.#announce(mayBeWaiting(this.#state));
      return new Map();
    });
  }

  get isStarted(): boolean {
    return this.#state.mode !== "stopped";
  }

  /** True when deliveries may be waiting, and no claim can find a slot for them before the next change. */
  get isFull(): boolean {
    return isFull(this.#state);
  }

  start(): void {
    this.#state = startPool(this.#state);
  }

  /**
   * Releases the leased deliveries without a call, so that another process can claim them at once. Resolves when all calls
   * in flight are settled. Ticks can use the pool afterwards.
   */
  async stop(): Promise<void> {
    this.#state = stopPool(this.#state);
    await this.#oneAtATime(CLAIM, async () => {}); // after the claim that is at the store
    this.#giveBack(Number.POSITIVE_INFINITY);
    while (countAll(this.#state) > 0) await this.nextChange();
  }

  /** Reads subscribers again, also those whose version is known: after lost commits it may be another one. */
  forgetSubscriptions(): void {
    this.#subscriptions.forget();
  }

  /** The result returns false once stop() has been called. */
  untilStop(): () => boolean {
    const { run } = this.#state;
    return () => this.#state.run === run;
  }

  /** Resolves when a call ends or a delivery is settled after this call. */
  nextChange(): Promise<void> {
    return new Promise((resolve) => this.#waitsForChange.push(resolve));
  }

  /**
   * Claims due deliveries and starts to send them; returns their number. Claims run one after the other, because
   * concurrent ones would fill the same slots; `limit` is called when this one starts.
   */
  claim(limit: () => number, onEnd: OnEnd = () => {}): Promise<number> {
    return this.#oneAtATime(CLAIM, () => this.#claim(limit, onEnd));
  }

  /** Takes slots for deliveries before the commit that makes them, so that these need no claim. Null = wants no slot. */
  reserve(wanted: readonly (SlotHolder | null)[]): Reservation {
    const held = this.#newLease();
    const { state, slots } = reserveSlots(this.#state, wanted);
    this.#state = state;
    return { held, slots };
  }

  /** Sends a delivery that its commit has made. */
  send({ held }: Reservation, slot: SlotHolder, delivery: Delivery, subscription: Subscription | null): void {
    const job = { delivery, subscription, held, onEnd: () => {} };
    this.#move(confirmReservation(this.#state, slot, job));
  }

  /** Frees the slot of a delivery that its commit has not made. */
  cancel(slot: SlotHolder): void {
    this.#move(cancelReservation(this.#state, slot));
    this.#announce(mayBeWaiting(this.#state));
  }

  /** Releases a delivery of a commit whose outcome is unknown. */
  release(slot: SlotHolder, delivery: Leased): void {
    this.#move(releaseReservation(this.#state, slot));
    this.#release(slot, delivery, () => {}).catch(this.#context.onError);
  }

  async #claim(limit: () => number, onEnd: OnEnd): Promise<number> {
    this.#giveBack(this.#context.clock.monotonicMs() - MAX_WAIT_MS);
    const room = Math.min(limit(), roomOfClaim(this.#state));
    if (room > 0) return this.#claimDue(room, onEnd);
    this.#state = skipClaim(this.#state);
    return 0;
  }

  async #claimDue(room: number, onEnd: OnEnd): Promise<number> {
    const { store, clock } = this.#context;
    const held = this.#newLease();
    const { state, shares } = sendClaim(this.#state);
    this.#state = state;
    let claimed: readonly Delivery[];
    try {
      claimed = await store.claimDue({ lease: held.lease, now: clock.now(), limit: room, ...shares });
    } catch (error) {
      this.#state = failClaim(this.#state);
      throw error;
    }
    const jobs = claimed.map((delivery): Job => ({ delivery, subscription: null, held, onEnd }));
    this.#move(receiveClaim(this.#state, jobs, room, clock.monotonicMs()));
    if (jobs.length === room && hasUnusedSlots(this.#state)) this.#announce(true); // some wait, others may not have to
    return jobs.length;
  }

  #giveBack(beforeMs: number): void {
    const { state, givenBack } = giveBackWaiting(this.#state, beforeMs);
    this.#state = state;
    for (const job of givenBack) this.#release(job, job.delivery, job.onEnd).catch(this.#context.onError);
  }

  #move({ state, started }: Moved): void {
    this.#state = state;
    for (const job of started) this.#deliver(job).catch(this.#context.onError);
  }

  async #deliver(job: Job): Promise<void> {
    const failuresBefore = this.#state.failures;
    const called = await this.#call(job);
    this.#move(endCall(this.#state, job));
    const result = await this.#settle(job.delivery, called, failuresBefore);
    const wasCrowded = isCrowded(this.#state);
    this.#state = endSettlement(this.#state, job);
    job.onEnd(result);
    const isDueAgain = result?.status !== "delivered" || job.delivery.order !== undefined; // or the next of its subject
    this.#announce(isDueAgain || (wasCrowded && mayBeWaiting(this.#state)));
  }

  async #release(entry: SlotHolder, delivery: Leased, onEnd: OnEnd): Promise<void> {
    await releaseUncalled(this.#context, delivery).catch(this.#context.onError);
    this.#state = endSettlement(this.#state, entry);
    onEnd(null);
    this.#announce(true);
  }

  async #call({ delivery, subscription: known, held }: Job): Promise<Called> {
    const { clock, onError } = this.#context;
    try {
      const subscription = known ?? (await this.#subscriptions.load(delivery));
      if (!mayCall(this.#state, held, clock.monotonicMs())) return "too-late";
      const made = await makeAttempt(this.#context, delivery, subscription);
      if (made.attempt !== null && made.next.status !== "delivered") this.#state = countFailure(this.#state);
      return made;
    } catch (error) {
      onError(error);
      return "failed";
    }
  }

  /** Null = the delivery was released or not settled, so a claim takes it again. */
  async #settle(delivery: Delivery, called: Called, failuresBefore: number): Promise<AttemptResult | null> {
    try {
      if (called === "failed") return null;
      if (called === "too-late") return await releaseUncalled(this.#context, delivery);
      if (called.attempt === null) return await settleAttempt(this.#context, delivery, called);
      const recorded = await this.#endOfTurn();
      const result = await settleAttempt(this.#context, delivery, called);
      const { health } = called;
      const isFailureSince = this.#state.failures > failuresBefore;
      if (health !== null && isNews(health, isFailureSince)) await this.#recordHealth(health, recorded);
      return result;
    } catch (error) {
      this.#context.onError(error);
      return null;
    }
  }

  async #recordHealth(health: HealthReport, recorded: RecordedHealth): Promise<void> {
    await recordHealthOnce(this.#context, health, recorded);
    // For calls that have read the endpoint since the call failed.
    if (health.signal !== "works") this.#state = countFailure(this.#state);
  }

  #announce(mayHaveWork: boolean): void {
    for (const resolve of this.#waitsForChange.splice(0)) resolve();
    if (mayHaveWork) this.#onWork();
  }

  #newLease(): HeldLease {
    const { random, clock } = this.#context;
    const lease = { token: randomToken(random, TOKEN_BYTES), until: clock.now() + LEASE_MS };
    return { lease, sinceMs: clock.monotonicMs(), run: this.#state.run };
  }
}

/** `"too-late"` = the delivery is released without a call. `"failed"` = it is claimed again when its lease has lapsed. */
type Called = MadeAttempt | "too-late" | "failed";

/** All callers in one turn of the event loop share a result, which is made when the turn ends. */
function oncePerTurn<T>(make: () => T): () => Promise<T> {
  let shared: Promise<T> | null = null; // null = nobody has called in this turn
  return () => {
    shared ??= nextTurn().then(() => {
      shared = null;
      return make();
    });
    return shared;
  };
}
