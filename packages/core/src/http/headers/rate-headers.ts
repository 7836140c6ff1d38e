import { type Instant, SECOND_MS } from "../../kernel/clock.js";
import type { RateDecision } from "../../limits/rate-limiter.js";

const HOUR_SECONDS = 3_600;
const MINUTE_SECONDS = 60;

/** Whole seconds from `now` until `then`, at least 1, as Retry-After needs. */
export function secondsUntil(then: Instant, now: Instant): number {
  return Math.max(1, Math.ceil((then - now) / SECOND_MS));
}

/**
 * Adds the rate-limit headers. The X- fields describe the hour, with what the minute leaves of it: when the minute is
 * full, no request remains until it has room, as the body of the refusal and Retry-After report.
 * Source: contract, Limits, rules 2 and 3; draft-ietf-httpapi-ratelimit-headers for the other two.
 */
export function addRateHeaders(headers: Record<string, string>, decision: RateDecision, now: Instant): void {
  const { limit, burst, remaining, resetAt, refusal } = decision;
  headers["x-ratelimit-limit"] = String(limit);
  headers["x-ratelimit-remaining"] = String(refusal === null ? remaining : 0);
  headers["x-ratelimit-reset"] = String(Math.ceil((refusal?.resetAt ?? resetAt) / SECOND_MS));
  headers["x-ratelimit-window"] = String(HOUR_SECONDS);
  headers["ratelimit-policy"] = policyOf(limit, burst);
  const hour = `"hour";r=${remaining};t=${secondsUntil(resetAt, now)}`;
  const isBurst = refusal !== null && refusal.resetAt !== resetAt;
  headers.ratelimit = isBurst ? `${hour}, "burst";r=0;t=${secondsUntil(refusal.resetAt, now)}` : hour;
}

function policyOf(limit: number, burst: number): string {
  return `"hour";q=${limit};w=${HOUR_SECONDS}, "burst";q=${burst};w=${MINUTE_SECONDS}`;
}
