import type { PlannedDeliveries } from "../../commit/run-commit.js";
import type { DomainEvent } from "../../events/event.js";
import type { WebhookContext } from "../webhook-context.js";
import { createBackgroundLoops } from "./background-loops.js";
import { type FanOutBounds, reportingOnce } from "./fan-out.js";
import { createCommitPlanner } from "./planning/commit-planner.js";
import { DeliveryPool } from "./pool/delivery-pool.js";
import { runTick, type TickSummary } from "./run-tick.js";

/** Delivers events to their subscribers. The README of this folder draws the whole. */
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

const EVENTS_PER_ROUND = 100;

export function createDispatcher(context: WebhookContext): Dispatcher {
  const ticks = new Set<Promise<unknown>>();
  const pool = new DeliveryPool(context, () => loops.requestClaim());
  const planner = createCommitPlanner(context, pool, {
    onEvents: () => loops.requestFanOut(),
    onDeliveries: () => loops.requestClaim(),
  });
  const bounds: FanOutBounds = {
    events: EVENTS_PER_ROUND,
    onUnreadable: reportingOnce(context.onError),
    beginRead: planner.beginRead,
  };
  const loops = createBackgroundLoops(context, pool, bounds);
  return {
    tick: () => keptUntilDone(ticks, runTick(context, pool, bounds)),
    wake: loops.wake,
    wakeForEvents: loops.requestFanOut,
    forget: () => {
      planner.forget();
      pool.forgetSubscriptions();
      loops.wake();
    },
    planDeliveries: planner.planDeliveries,
    start: () => {
      pool.start();
      loops.open();
      loops.wake();
    },
    stop: async () => {
      const stopping = pool.stop();
      await Promise.all([loops.close(), ...ticks]);
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
