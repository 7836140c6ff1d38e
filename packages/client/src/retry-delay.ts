import type { BudgetkitError } from "./budgetkit-error.js";

const FIRST_MS = 250;
const LONGEST_MS = 8_000;
const SPREAD_MS = 1_000;

/** A service that is busy or restarts, and what proxies say of one. */
const PASSING = [429, 502, 503, 504];

/** Whether a call that failed so may succeed when it is sent once more. `attempt` counts from 0. */
export function mayPass({ code, status }: BudgetkitError, attempt: number): boolean {
  if (code === "NETWORK_ERROR") return true;
  // The first request, whose answer was lost, may hold the idempotency key for a moment.
  return status !== null && (PASSING.includes(status) || (status === 409 && attempt > 0));
}

/** Milliseconds until the next attempt: what the service asks for, or twice as long each time. `random` is in [0, 1). */
export function delayBefore({ retryAfterMs }: BudgetkitError, attempt: number, random: number): number {
  if (retryAfterMs !== null) return retryAfterMs + random * SPREAD_MS;
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt) * (0.5 + random / 2);
}
