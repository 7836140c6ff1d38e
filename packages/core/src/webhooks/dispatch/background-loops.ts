import { type Instant, SECOND_MS } from "../../kernel/clock.js";
import type { WebhookContext } from "../webhook-context.js";
import { createCoalescingLoop } from "./coalescing-loop.js";
import { continueReplays } from "./continue-replays.js";
import { type FanOutBounds, fanOutEvents } from "./fan-out.js";
import type { DeliveryPool } from "./pool/delivery-pool.js";

/** The loops of a started dispatcher. Requests do nothing before `open` and after `close`. */
export interface BackgroundLoops {
  /** Requests all loops: a look for events, then a claim, and a step of each replay. */
  wake(): void;
  requestFanOut(): void;
  requestClaim(): void;
  open(): void;
  /** Starts no further steps; resolves when the running ones have ended. */
  close(): Promise<void>;
}

/** The longest sleep; a round then finds work that other processes committed. */
const POLL_MS = 2 * SECOND_MS;
/** A claim starts a limited number of turns; the others begin after this time. */
const TURNS_MS = 100;

export function createBackgroundLoops(
  context: WebhookContext,
  pool: DeliveryPool,
  bounds: FanOutBounds,
): BackgroundLoops {
  const isActive = () => pool.isStarted;
  const fanOutLoop = createCoalescingLoop(fanOut, context.onError);
  const deliveryLoop = createCoalescingLoop(deliver, context.onError);
  const replayLoop = createCoalescingLoop(replay, context.onError);
  let isClaimWanted = false; // after the next fan-out, so that one claim takes its deliveries too
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    isClaimWanted = true;
    fanOutLoop.request();
    replayLoop.request();
  }

  async function fanOut(): Promise<void> {
    try {
      const { mayBeMore } = await fanOutEvents(context, { ...bounds, isActive, onWaiting: deliveryLoop.request });
      if (mayBeMore) fanOutLoop.request();
    } finally {
      if (isClaimWanted) deliveryLoop.request();
      isClaimWanted = false;
    }
  }

  /** Sets the timer of the next round. */
  async function deliver(): Promise<void> {
    clearTimeout(timer);
    let sleepMs = POLL_MS;
    try {
      sleepMs = await claimDue(context, pool);
    } finally {
      if (pool.isStarted) timer = setTimeout(wake, sleepMs).unref();
    }
  }

  /** Replays that wait for their endpoint or for room are looked at again with the next {@link wake}. */
  async function replay(): Promise<void> {
    const { sent, mayBeMore } = await continueReplays(context, isActive);
    if (sent > 0) deliveryLoop.request();
    if (mayBeMore) replayLoop.request();
  }

  const loops = [fanOutLoop, replayLoop, deliveryLoop];
  return {
    wake,
    requestFanOut: fanOutLoop.request,
    requestClaim: deliveryLoop.request,
    open: () => {
      for (const loop of loops) loop.open();
    },
    close: async () => {
      clearTimeout(timer);
      await Promise.all(loops.map((loop) => loop.close()));
    },
  };
}

/** Starts deliveries, and returns how long to sleep, in milliseconds. */
async function claimDue({ store, clock }: WebhookContext, pool: DeliveryPool): Promise<number> {
  const now = clock.now();
  await pool.claim(() => (pool.isStarted ? Number.POSITIVE_INFINITY : 0));
  return pool.isFull ? POLL_MS : sleepUntil(await store.nextDueAt(), now, clock.now());
}

/** How long to sleep after a claim that began at `claimedAt`, in milliseconds. */
function sleepUntil(dueAt: Instant | null, claimedAt: Instant, now: Instant): number {
  if (dueAt === 0) return TURNS_MS;
  // A delivery that was due before the claim waits for a slot; the pool requests a round when one is free.
  return dueAt === null || dueAt <= claimedAt ? POLL_MS : Math.min(POLL_MS, Math.max(0, dueAt - now));
}
