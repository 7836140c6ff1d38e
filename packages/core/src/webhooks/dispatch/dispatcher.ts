import type { PlannedDeliveries } from "../../commit/run-commit.js";
import type { DomainEvent } from "../../events/event.js";
import { type Instant, SECOND_MS } from "../../kernel/clock.js";
import { SEND_DEADLINE_MS } from "../transport/sender.js";
import type { WebhookContext } from "../webhook-context.js";
import { createCoalescingLoop } from "./coalescing-loop.js";
import { continueReplays } from "./continue-replays.js";
import { DeliveryPool, type OnEnd } from "./delivery-pool.js";
import { type FanOutLimits, fanOutEvents, reportingOnce } from "./fan-out.js";
import { createDeliveryPlanner, type DeliveryPlanner } from "./plan-deliveries.js";

/** Delivers events to their subscribers. */
export interface Dispatcher {
  /** Runs one bounded round. Rejects when the store fails, after the calls in flight are settled. */
  tick(): Promise<TickSummary>;
  /** Delivers in the background until {@link Dispatcher.stop}: at once when woken, else when a delivery is due. */
  start(): void;
  /**
   * Claims no further deliveries, also in a running tick, and releases claimed deliveries without a call. Resolves when
   * the calls in flight have ended, at the latest at their deadline.
   */
  stop(): Promise<void>;
  /** Requests a look for events and due deliveries; does nothing unless started. */
  wake(): void;
  /** Requests a look for events only; does nothing unless started. */
  wakeForEvents(): void;
  /** Reads subscribers again, and looks for events and due deliveries: the store has lost commits. */
  forget(): void;
  /** Plans the deliveries of the events of one commit. Null = the events wait for their fan-out. Never rejects. */
  planDeliveries(events: readonly DomainEvent[]): Promise<PlannedDeliveries | null>;
}

/** The work of one round. */
export interface TickSummary {
  /** Events whose deliveries this round made. The commits of the others have made theirs. */
  readonly fannedOut: number;
  /** Deliveries, as are the next three. */
  readonly delivered: number;
  /** Deliveries that are tried again later. */
  readonly retrying: number;
  /** Deliveries that failed for good. */
  readonly failed: number;
  /** Deliveries whose subscriber is gone. */
  readonly cancelled: number;
  /** Removed deliveries and events. */
  readonly pruned: number;
}

const EVENTS_PER_ROUND = 100;
/** A round starts at most this many deliveries, and none after this time. */
const TICK_DELIVERIES = 500;
const TICK_BUDGET_MS = SEND_DEADLINE_MS;
const PRUNE_LIMIT = 1_000;
/** The longest sleep of the loop; it then finds work that other processes committed. */
const POLL_MS = 2 * SECOND_MS;
/** A claim starts a limited number of turns; the others begin after this time. */
const TURNS_MS = 100;

type FanOutBounds = Pick<FanOutLimits, "events" | "onUnreadable" | "onSubscribers">;

function boundsOf({ remember }: DeliveryPlanner, onError: (error: unknown) => void): FanOutBounds {
  return { events: EVENTS_PER_ROUND, onUnreadable: reportingOnce(onError), onSubscribers: remember };
}

export function createDispatcher(context: WebhookContext): Dispatcher {
  const { store, clock, onError } = context;
  const fanOutLoop = createCoalescingLoop(fanOut, onError);
  const deliveryLoop = createCoalescingLoop(deliver, onError);
  const replayLoop = createCoalescingLoop(replay, onError);
  const pool = new DeliveryPool(context, deliveryLoop.request);
  const planner = createDeliveryPlanner(context, pool, () => {
    mayBeDue = true;
    fanOutLoop.request();
  });
  const bounds = boundsOf(planner, onError);
  const ticks = new Set<Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;
  let mayBeDue = false;

  async function fanOut(): Promise<void> {
    try {
      const limits = { ...bounds, isActive: () => pool.isStarted, onWaiting: deliveryLoop.request };
      const { mayBeMore } = await fanOutEvents(context, limits);
      if (mayBeMore) fanOutLoop.request();
    } finally {
      if (mayBeDue) deliveryLoop.request();
      mayBeDue = false;
    }
  }

  /** Replays that wait for their endpoint or for room are looked at again with the next {@link wake}. */
  async function replay(): Promise<void> {
    const { sent, mayBeMore } = await continueReplays(context, () => pool.isStarted);
    if (sent > 0) deliveryLoop.request();
    if (mayBeMore) replayLoop.request();
  }

  function wake(): void {
    mayBeDue = true;
    fanOutLoop.request();
    replayLoop.request();
  }

  /** Starts deliveries and sets the timer of the next round. */
  async function deliver(): Promise<void> {
    clearTimeout(timer);
    let sleepMs = POLL_MS;
    try {
      const now = clock.now();
      await pool.claim(() => (pool.isStarted ? Number.POSITIVE_INFINITY : 0));
      if (!pool.isFull) sleepMs = sleepUntil(await store.nextDueAt(), now, clock.now());
    } finally {
      if (pool.isStarted) timer = setTimeout(wake, sleepMs).unref();
    }
  }

  return {
    tick: () => keptUntilDone(ticks, runTick(context, pool, bounds)),
    wake,
    wakeForEvents: fanOutLoop.request,
    forget: () => {
      planner.forget();
      pool.forgetSubscriptions();
      wake();
    },
    planDeliveries: async () => null,
    start: () => {
      pool.start();
      fanOutLoop.open();
      deliveryLoop.open();
      replayLoop.open();
      wake();
    },
    stop: async () => {
      clearTimeout(timer);
      const stopping = pool.stop();
      await Promise.all([fanOutLoop.close(), replayLoop.close(), deliveryLoop.close(), ...ticks]);
      await stopping;
      await planner.settled();
    },
  };
}

function keptUntilDone<T>(running: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  const done: Promise<unknown> = work.catch(() => {}).finally(() => running.delete(done));
  running.add(done);
  return work;
}

/** How long to sleep after a claim that began at `claimedAt`, in milliseconds. */
function sleepUntil(dueAt: Instant | null, claimedAt: Instant, now: Instant): number {
  if (dueAt === 0) return TURNS_MS;
  // A delivery that was due before the claim waits for a slot; the pool requests a round when one is free.
  return dueAt === null || dueAt <= claimedAt ? POLL_MS : Math.min(POLL_MS, Math.max(0, dueAt - now));
}

/** Starts no further work once the pool is stopped. */
async function runTick(context: WebhookContext, pool: DeliveryPool, bounds: FanOutBounds): Promise<TickSummary> {
  const { store, clock, retentionMs } = context;
  const isActive = pool.untilStop();
  const endsAt = clock.now() + TICK_BUDGET_MS;
  const { written } = await fanOutEvents(context, { ...bounds, isActive });
  await continueReplays(context, isActive);
  const counts = { delivered: 0, retrying: 0, failed: 0, cancelled: 0 };
  await deliverWhile(
    pool,
    () => isActive() && clock.now() <= endsAt,
    (result) => {
      if (result?.settled === "written" && result.status !== "pending") counts[result.status] += 1;
    },
  );
  const pruned = isActive() ? await store.pruneDeliveries(clock.now() - retentionMs, PRUNE_LIMIT) : 0;
  return { fannedOut: written, ...counts, pruned };
}

/** Fills slots as they become free, and waits for all deliveries that it started. */
async function deliverWhile(pool: DeliveryPool, isActive: () => boolean, onEnd: OnEnd): Promise<void> {
  let started = 0;
  let ended = 0;
  const count: OnEnd = (result) => {
    ended += 1;
    onEnd(result);
  };
  try {
    for (;;) {
      const change = pool.nextChange();
      const claimed = await pool.claim(() => (isActive() ? TICK_DELIVERIES - started : 0), count);
      started += claimed;
      if (ended < started) await change;
      else if (claimed === 0) return;
    }
  } finally {
    while (ended < started) await pool.nextChange();
  }
}
