import type { BudgetkitError } from "./budgetkit-error.js";

const FIRST_MS = 250;
const LONGEST_MS = 8_000;
const SPREAD_MS = 1_000;

/** Statuses of a service that is busy or restarts, directly or behind a proxy. */
const RETRYABLE = [429, 502, 503, 504];

/** Whether a retry may succeed. `attempt` counts from 0. */
export function isRetryable({ code, status }: BudgetkitError, attempt: number): boolean {
  if (code === "NETWORK_ERROR") return true;
  // A lost attempt may still hold the idempotency key.
  return status !== null && (RETRYABLE.includes(status) || (status === 409 && attempt > 0));
}

/** Milliseconds until the next attempt: Retry-After, or exponential backoff with jitter. `random` is in [0, 1). */
export function delayBefore({ retryAfterMs }: BudgetkitError, attempt: number, random: number): number {
  if (retryAfterMs !== null) return retryAfterMs + random * SPREAD_MS;
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt) * (0.5 + random / 2);
}
