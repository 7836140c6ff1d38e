import type { Instant } from "../kernel/clock.js";

/** Requests below 400 succeeded; all others are errors, refusals by the limiter included. */
export interface UsageCounts {
  readonly requests: number;
  readonly errors: number; // status 400 or above
  readonly refusals: number; // 429 by the key's own rate limit
  readonly durationUs: number; // microseconds, summed; integers, so that sums are exact
}

/** The matched route, never the path that a client sent. */
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
 * The resolution of a row: by minute, hour or day (UTC) and by route, or by hour for all routes together. The hour totals
 * serve to find the busiest hour of three months.
 */
export const USAGE_GRAINS = ["minute", "hour", "day", "hour-total"] as const;
export type UsageGrain = (typeof USAGE_GRAINS)[number];

/** A stored count. A store adds to the row of the same business, key, grain, time and route; it never replaces it. */
export interface UsageRow extends UsageCounts {
  readonly businessId: string;
  readonly keyId: string | null; // null = all keys of the business
  readonly grain: UsageGrain;
  readonly at: Instant; // beginning of the minute, hour or day
  readonly method: string;
  readonly path: string; // method and path name the route; both are "" for all routes together
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
