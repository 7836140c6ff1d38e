import { DAY_MS, type Instant, SECOND_MS } from "../kernel/clock.js";
import type { Random } from "../kernel/random.js";

/** Seconds from one attempt to the next, one entry an attempt. Source: contract, Events, delivery rule 4. */
export const DEFAULT_DELAYS_SECONDS: readonly number[] = [0, 60, 300, 1_800, 7_200, 43_200];

/** How far a delay may stray to either side, so that what failed together does not come back together. */
const JITTER = 0.2;

/** Where a delivery stands in its schedule. */
export interface RetryState {
  readonly delaysSeconds: readonly number[];
  readonly attemptsMade: number; // since the delivery was begun, or begun anew
  readonly deadlineAt: Instant;
  readonly retryAfterSeconds: number | null; // what the receiver asked for; null = nothing
}

/**
 * When the next attempt begins; null when there is none any more: the schedule is used up, or it would begin after the
 * deadline. A receiver may ask for more time than the schedule gives, up to the deadline: what reaches beyond that is
 * not heeded.
 */
export function nextAttemptAt(state: RetryState, now: Instant, random: Random): Instant | null {
  const { deadlineAt, retryAfterSeconds } = state;
  const delaySeconds = state.delaysSeconds[state.attemptsMade];
  if (delaySeconds === undefined) return null;
  const scheduled = now + Math.round(delaySeconds * SECOND_MS * (1 - JITTER + 2 * JITTER * drawFraction(random)));
  const asked = retryAfterSeconds === null ? scheduled : now + retryAfterSeconds * SECOND_MS;
  const at = asked > scheduled && asked <= deadlineAt ? asked : scheduled;
  return at <= deadlineAt ? at : null;
}

/** Until when retries may begin: 24 hours, or as long as the schedule can take where that is longer. */
export function deadlineOf(delaysSeconds: readonly number[], begunAt: Instant): Instant {
  const longestSeconds = delaysSeconds.reduce((sum, delay) => sum + delay, 0) * (1 + JITTER);
  return begunAt + Math.max(DAY_MS, Math.ceil(longestSeconds) * SECOND_MS);
}

/** From 0 up to and without 1. */
function drawFraction(random: Random): number {
  const [high = 0, low = 0] = random.bytes(2);
  return (high * 256 + low) / 65_536;
}
