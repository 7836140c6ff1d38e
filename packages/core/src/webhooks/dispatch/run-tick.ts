import { SEND_DEADLINE_MS } from "../transport/sender.js";
import type { WebhookContext } from "../webhook-context.js";
import { continueReplays } from "./continue-replays.js";
import { type FanOutBounds, fanOutEvents } from "./fan-out.js";
import type { DeliveryPool } from "./pool/delivery-pool.js";
import type { OnEnd } from "./pool/pool-state.js";

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

/** A round starts at most this many deliveries, and none after this time. */
const TICK_DELIVERIES = 500;
const TICK_BUDGET_MS = SEND_DEADLINE_MS;
const PRUNE_LIMIT = 1_000;

/** Runs one bounded round. Starts no further work once the pool is stopped. */
export async function runTick(context: WebhookContext, pool: DeliveryPool, bounds: FanOutBounds): Promise<TickSummary> {
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
