import { setImmediate as nextTurn } from "node:timers/promises";
import { type Instant, MINUTE_MS, SECOND_MS } from "../kernel/clock.js";
import { createDeliveryPool, type PooledResult } from "./delivery-pool.js";
import { fanOutEvents } from "./fan-out.js";
import { SEND_DEADLINE_MS } from "./sender.js";
import type { WebhookContext } from "./webhook-context.js";

/** Brings events to their subscribers. */
export interface Dispatcher {
  /** One round, bounded whatever waits. Rejects when the store fails; what was under way is settled first. */
  tick(): Promise<TickSummary>;
  /** Keeps delivering until {@link Dispatcher.stop}: at once when woken, else when something falls due. */
  start(): void;
  /** Claims nothing more and waits for the calls under way, which end within their deadline. */
  stop(): Promise<void>;
  /** Says that something may wait; does nothing unless started. */
  wake(): void;
}

/** What one round did. */
export interface TickSummary {
  readonly fannedOut: number; // events
  readonly delivered: number; // deliveries, as are the next three
  readonly retrying: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly pruned: number; // deliveries and events that were old enough to forget
}

const EVENTS_AT_ONCE = 100;
/** A round begins so many deliveries at most, and none later than this after it began itself. */
const TICK_DELIVERIES = 500;
const TICK_BUDGET_MS = SEND_DEADLINE_MS;
const PRUNE_LIMIT = 1_000;
const PRUNE_INTERVAL_MS = MINUTE_MS;
/** How long the loop sleeps at most: what other processes commit is found by then. */
const POLL_MS = 2 * SECOND_MS;

export function createDispatcher(context: WebhookContext): Dispatcher {
  const { store, clock, onError } = context;
  const pool = createDeliveryPool(context, () => nudge(false));
  let isStarted = false;
  let looping: Promise<void> | null = null;
  let isNudged = false;
  let mayHaveEvents = false;
  let timer: NodeJS.Timeout | undefined;
  let prunedAt: Instant | null = null;

  async function tick(): Promise<TickSummary> {
    const endsAt = clock.now() + TICK_BUDGET_MS;
    const { written } = await fanOutEvents(context, EVENTS_AT_ONCE);
    const results = await deliverUntil(endsAt);
    const pruned = await prune();
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

  /** Fills places as they fall free, and waits for everything that it began. */
  async function deliverUntil(endsAt: Instant): Promise<readonly PooledResult[]> {
    const results: PooledResult[] = [];
    const own = new Set<Promise<void>>();
    let begun = 0;
    try {
      for (;;) {
        const left = clock.now() <= endsAt ? TICK_DELIVERIES - begun : 0;
        const batch = left > 0 ? await pool.begin(left) : [];
        begun += batch.length;
        for (const result of batch) {
          const done: Promise<void> = result.then((each) => {
            results.push(each);
            own.delete(done);
          });
          own.add(done);
        }
        if (own.size === 0) return results;
        if (batch.length === 0) await Promise.race(own);
      }
    } finally {
      await Promise.all(own);
    }
  }

  async function prune(): Promise<number> {
    prunedAt = clock.now();
    return store.pruneDeliveries(prunedAt - context.retentionMs, PRUNE_LIMIT);
  }

  function nudge(withEvents: boolean): void {
    if (!isStarted) return;
    isNudged = true;
    mayHaveEvents ||= withEvents;
    looping ??= loop().finally(() => {
      looping = null;
      if (isNudged) nudge(false); // it came when the loop had looked for the last time
    });
  }

  /** Works until there is nothing to do, and sets the alarm for the next time. Never rejects. */
  async function loop(): Promise<void> {
    clearTimeout(timer);
    let sleepMs = POLL_MS;
    while (isNudged && isStarted) {
      isNudged = false;
      await nextTurn(); // calls that end together free their places together
      sleepMs = await work().catch((error: unknown) => {
        onError(error);
        return POLL_MS;
      });
    }
    if (!isStarted) return;
    timer = setTimeout(() => nudge(true), sleepMs);
    timer.unref();
  }

  /** One pass of the loop; gives how long it may sleep after it. */
  async function work(): Promise<number> {
    if (mayHaveEvents) {
      mayHaveEvents = false;
      const { found, written } = await fanOutEvents(context, EVENTS_AT_ONCE);
      if (found === EVENTS_AT_ONCE && written > 0) nudge(true);
    }
    const now = clock.now();
    if (prunedAt === null || now - prunedAt >= PRUNE_INTERVAL_MS) await prune();
    const begun = await pool.begin(Number.POSITIVE_INFINITY);
    if (begun.length > 0) {
      nudge(false);
      return POLL_MS;
    }
    const dueAt = await store.nextDueAt();
    // What was due already and could not be claimed waits for a free place, which wakes the loop by itself.
    return dueAt === null || dueAt <= now ? POLL_MS : Math.min(POLL_MS, Math.max(0, dueAt - clock.now()));
  }

  return {
    tick,
    wake: () => nudge(true),
    start: () => {
      isStarted = true;
      nudge(true);
    },
    stop: async () => {
      isStarted = false;
      clearTimeout(timer);
      await looping;
      await pool.drain();
    },
  };
}
