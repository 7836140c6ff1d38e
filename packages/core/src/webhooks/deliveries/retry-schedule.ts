import { DAY_MS, type Instant, SECOND_MS } from "../../kernel/clock.js";
import type { Random } from "../../kernel/random.js";

/** Seconds before each attempt, counted from the attempt before. Source: contract, Events, delivery rule 4. */
export const DEFAULT_DELAYS_SECONDS: readonly number[] = [0, 60, 300, 1_800, 7_200, 43_200];

/** Relative, in both directions. It spreads the retries of deliveries that failed at the same time. */
const JITTER = 0.2;

export interface RetryState {
  readonly delaysSeconds: readonly number[];
  readonly attemptsMade: number; // since the creation or the last redelivery
  readonly deadlineAt: Instant;
  readonly retryAfterSeconds: number | null; // from the receiver's Retry-After header; null = none
}

/**
 * The time of the next attempt; null when the schedule is used up or the attempt would begin after the deadline. A
 * receiver's Retry-After can postpone the attempt up to the deadline; a longer one is ignored.
 */
export function nextAttemptAt(state: RetryState, now: Instant, random: Random): Instant | null {
  const { deadlineAt, retryAfterSeconds } = state;
  const delaySeconds = state.delaysSeconds[state.attemptsMade];
  if (delaySeconds === undefined) return null;
  const scheduled = now + Math.round(delaySeconds * SECOND_MS * (1 - JITTER + 2 * JITTER * drawFraction(random)));
  const requested = retryAfterSeconds === null ? scheduled : now + retryAfterSeconds * SECOND_MS;
  const at = requested > scheduled && requested <= deadlineAt ? requested : scheduled;
  return at <= deadlineAt ? at : null;
}

/** The last time at which a retry may begin: after 24 hours, or after the whole schedule if that is longer. */
export function deadlineOf(delaysSeconds: readonly number[], startedAt: Instant): Instant {
  const longestSeconds = delaysSeconds.reduce((sum, delay) => sum + delay, 0) * (1 + JITTER);
  return startedAt + Math.max(DAY_MS, Math.ceil(longestSeconds) * SECOND_MS);
}

/** From 0 (included) to 1 (excluded). */
function drawFraction(random: Random): number {
  const [high = 0, low = 0] = random.bytes(2);
  return (high * 256 + low) / 65_536;
}
