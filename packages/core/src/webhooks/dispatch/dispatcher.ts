import { SECOND_MS } from "../../kernel/clock.js";
import { SEND_DEADLINE_MS } from "../transport/sender.js";
import type { WebhookContext } from "../webhook-context.js";
import { createCoalescingLoop } from "./coalescing-loop.js";
import { createDeliveryPool, type DeliveryPool, type PooledResult } from "./delivery-pool.js";
import { fanOutEvents } from "./fan-out.js";

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
}

/** The work of one round. */
export interface TickSummary {
  /** Events. */
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

export function createDispatcher(context: WebhookContext): Dispatcher {
  const { store, clock, onError } = context;
  const fanOutLoop = createCoalescingLoop(fanOut, onError);
  const deliveryLoop = createCoalescingLoop(deliver, onError);
  const pool = createDeliveryPool(context, deliveryLoop.request);
  const ticks = new Set<Promise<unknown>>();
  let isStarted = false;
  let stops = 0; // calls of stop(): a tick that began before it starts nothing more
  let timer: NodeJS.Timeout | undefined;
  let mayBeDue = false;

  async function fanOut(): Promise<void> {
    const limits = {
      events: EVENTS_PER_ROUND,
      isActive: () => isStarted,
      reserve: pool.reserve.bind(pool),
      onWaiting: deliveryLoop.request,
    };
    const { mayBeMore } = await fanOutEvents(context, limits).catch((error: unknown) => {
      onError(error);
      return { mayBeMore: false };
    });
    if (mayBeMore) fanOutLoop.request();
    if (!mayBeDue) return;
    mayBeDue = false;
    deliveryLoop.request();
  }

  function wake(): void {
    mayBeDue = true;
    fanOutLoop.request();
  }

  /** Starts deliveries and sets the timer of the next round. */
  async function deliver(): Promise<void> {
    clearTimeout(timer);
    let sleepMs = POLL_MS;
    try {
      const now = clock.now();
      await pool.begin(() => (isStarted ? Number.POSITIVE_INFINITY : 0));
      const dueAt = await store.nextDueAt();
      // A delivery that was due before `now` waits for a slot; the pool requests a round when one is free.
      if (dueAt !== null && dueAt > now) sleepMs = Math.min(POLL_MS, Math.max(0, dueAt - clock.now()));
    } finally {
      if (isStarted) {
        timer = setTimeout(wake, sleepMs);
        timer.unref();
      }
    }
  }

  return {
    tick: () => {
      const stopsBefore = stops;
      const ticking = runTick(context, pool, () => stops === stopsBefore);
      const done: Promise<unknown> = ticking.catch(() => {}).finally(() => ticks.delete(done));
      ticks.add(done);
      return ticking;
    },
    wake,
    wakeForEvents: fanOutLoop.request,
    start: () => {
      isStarted = true;
      fanOutLoop.open();
      deliveryLoop.open();
      wake();
    },
    stop: async () => {
      isStarted = false;
      stops += 1;
      clearTimeout(timer);
      const stopping = pool.stop();
      await Promise.all([fanOutLoop.close(), deliveryLoop.close(), ...ticks]);
      await stopping;
    },
  };
}

/** Starts no further work once `isActive` returns false. */
async function runTick(context: WebhookContext, pool: DeliveryPool, isActive: () => boolean): Promise<TickSummary> {
  const { store, clock, retentionMs } = context;
  const endsAt = clock.now() + TICK_BUDGET_MS;
  const { written } = await fanOutEvents(context, { events: EVENTS_PER_ROUND, isActive });
  const results = await deliverWhile(pool, () => isActive() && clock.now() <= endsAt);
  const pruned = isActive() ? await store.pruneDeliveries(clock.now() - retentionMs, PRUNE_LIMIT) : 0;
  const count = (status: string) => results.filter((r) => r?.settled === "written" && r.status === status).length;
  return {
    fannedOut: written,
    delivered: count("delivered"),
    retrying: count("retrying"),
    failed: count("failed"),
    cancelled: count("cancelled"),
    pruned,
  };
}

/** Fills slots as they become free, and waits for all deliveries that it started. */
async function deliverWhile(pool: DeliveryPool, isActive: () => boolean): Promise<readonly PooledResult[]> {
  const results: PooledResult[] = [];
  const running = new Set<Promise<void>>();
  let started = 0;
  try {
    for (;;) {
      const change = pool.nextChange();
      const batch = await pool.begin(() => (isActive() ? TICK_DELIVERIES - started : 0));
      started += batch.length;
      for (const result of batch) {
        const done: Promise<void> = result.then((each) => {
          results.push(each);
          running.delete(done);
        });
        running.add(done);
      }
      if (running.size === 0) return results;
      await change;
    }
  } finally {
    await Promise.all(running);
  }
}
