import type { Instant } from "../kernel/clock.js";

/** What is counted of some requests. Those below 400 succeeded; the others are errors, the limiter's refusals included. */
export interface UsageCounts {
  readonly requests: number;
  readonly errors: number; // answered 400 or above
  readonly refusals: number; // answered 429 by the key's own rate limit
  readonly durationUs: number; // microseconds, all requests together; whole, so that sums are exact
}

/** Which operation was asked for: a route of the interface, never the path that a client sent. */
export interface RouteLabel {
  readonly method: string;
  readonly path: string; // the pattern: /api/public/budgets/{budgetId}
}

/** Requests of one key to one route within one minute. */
export interface MinuteUsage {
  readonly businessId: string;
  readonly keyId: string;
  readonly minute: Instant; // its beginning
  readonly route: RouteLabel;
  readonly counts: UsageCounts;
}

/**
 * How finely a row counts: by minute, hour or day (UTC) and by route; or by hour with all routes together, which is
 * what the busiest hour of three months is found in.
 */
export const USAGE_GRAINS = ["minute", "hour", "day", "hour-total"] as const;
export type UsageGrain = (typeof USAGE_GRAINS)[number];

/** A kept count. Rows of one place are added up, never replaced. */
export interface UsageRow extends UsageCounts {
  readonly businessId: string;
  readonly keyId: string | null; // null = all keys of the business
  readonly grain: UsageGrain;
  readonly at: Instant; // the beginning of its minute, hour or day
  readonly method: string;
  readonly path: string; // with method: the route; both are "" where all routes are together
}

export const NO_USAGE: UsageCounts = { requests: 0, errors: 0, refusals: 0, durationUs: 0 };

export function addCounts(a: UsageCounts, b: UsageCounts): UsageCounts {
  return {
    requests: a.requests + b.requests,
    errors: a.errors + b.errors,
    refusals: a.refusals + b.refusals,
    durationUs: a.durationUs + b.durationUs,
  };
}
