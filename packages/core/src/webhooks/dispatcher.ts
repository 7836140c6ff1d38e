import { SECOND_MS } from "../kernel/clock.js";
import { createDeliveryPool, type PooledResult } from "./delivery-pool.js";
import { fanOutEvents } from "./fan-out.js";
import { createLane } from "./lane.js";
import { SEND_DEADLINE_MS } from "./sender.js";
import type { WebhookContext } from "./webhook-context.js";

/** Brings events to their subscribers. */
export interface Dispatcher {
  /** One round, bounded whatever waits. Rejects when the store fails; what was under way is settled first. */
  tick(): Promise<TickSummary>;
  /** Keeps delivering until {@link Dispatcher.stop}: at once when woken, else when something falls due. */
  start(): void;
  /**
   * Claims nothing more, be it for a tick that is under way, gives back what was claimed and not called yet, and waits
   * for the calls that are under way, which end within their deadline.
   */
  stop(): Promise<void>;
  /** Says that something may wait; does nothing unless started. */
  wake(): void;
  /** The same of events alone: what is due already is not looked for. */
  wakeForEvents(): void;
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
/** How long the loop sleeps at most: what other processes commit is found by then. */
const POLL_MS = 2 * SECOND_MS;

export function createDispatcher(context: WebhookContext): Dispatcher {
  const { store, clock, onError } = context;
  const fanning = createLane(fanOut, onError);
  const delivering = createLane(deliver, onError);
  const pool = createDeliveryPool(context, delivering.nudge);
  const ticks = new Set<Promise<unknown>>();
  let isStarted = false;
  let stops = 0;
  let timer: NodeJS.Timeout | undefined;
  let mayBeDue = false;

  /** One that is under way when the dispatcher is stopped begins nothing more. */
  async function tick(): Promise<TickSummary> {
    const stopsBefore = stops;
    const goesOn = () => stops === stopsBefore;
    const endsAt = clock.now() + TICK_BUDGET_MS;
    const { written } = await fanOutEvents(context, { events: EVENTS_AT_ONCE, goesOn });
    const results = await deliverWhile(() => goesOn() && clock.now() <= endsAt);
    const pruned = goesOn() ? await store.pruneDeliveries(clock.now() - context.retentionMs, PRUNE_LIMIT) : 0;
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
  async function deliverWhile(goesOn: () => boolean): Promise<readonly PooledResult[]> {
    const results: PooledResult[] = [];
    const own = new Set<Promise<void>>();
    let begun = 0;
    try {
      for (;;) {
        const change = pool.nextChange();
        const batch = await pool.begin(() => (goesOn() ? TICK_DELIVERIES - begun : 0));
        begun += batch.length;
        for (const result of batch) {
          const done: Promise<void> = result.then((each) => {
            results.push(each);
            own.delete(done);
          });
          own.add(done);
        }
        if (own.size === 0) return results;
        await change;
      }
    } finally {
      await Promise.all(own);
    }
  }

  async function fanOut(): Promise<void> {
    const limits = {
      events: EVENTS_AT_ONCE,
      goesOn: () => isStarted,
      reserve: pool.reserve,
      onWaiting: delivering.nudge,
    };
    const { mayBeMore } = await fanOutEvents(context, limits).catch((error: unknown) => {
      onError(error);
      return { mayBeMore: false };
    });
    if (mayBeMore) fanning.nudge();
    if (!mayBeDue) return;
    mayBeDue = false;
    delivering.nudge();
  }

  function wake(): void {
    mayBeDue = true;
    fanning.nudge();
  }

  /** Begins what can be begun, and sets the alarm for the next time. */
  async function deliver(): Promise<void> {
    clearTimeout(timer);
    let sleepMs = POLL_MS;
    try {
      const now = clock.now();
      await pool.begin(() => (isStarted ? Number.POSITIVE_INFINITY : 0));
      const dueAt = await store.nextDueAt();
      // What was due already and could not be claimed waits for a free place, which is told of by itself.
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
      const ticking = tick();
      const done: Promise<unknown> = ticking.catch(() => {}).finally(() => ticks.delete(done));
      ticks.add(done);
      return ticking;
    },
    wake,
    wakeForEvents: fanning.nudge,
    start: () => {
      isStarted = true;
      fanning.open();
      delivering.open();
      wake();
    },
    stop: async () => {
      isStarted = false;
      stops += 1;
      clearTimeout(timer);
      const stopping = pool.stop();
      await Promise.all([fanning.close(), delivering.close(), ...ticks]);
      await stopping;
    },
  };
}
