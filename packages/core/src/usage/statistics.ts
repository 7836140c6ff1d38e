import { err, ok, type Result } from "neverthrow";
import type { AccessStore } from "../access/access-store.js";
import { rateWithin } from "../access/business.js";
import { type Actor, refuseUnlessReader } from "../kernel/actor.js";
import { type Clock, type Instant, toTimestamp } from "../kernel/clock.js";
import { parseId } from "../kernel/ids.js";
import { notFound, type Problem } from "../kernel/problem.js";
import type { RateLimitStore } from "../limits/rate-limit-store.js";
import { currentUsageOf } from "../limits/rate-limiter.js";
import type { DashboardStore } from "./dashboard-store.js";
import { type PeriodWindow, slicesOf, sumRows, windowOf } from "./period.js";
import type { UsageRecorder } from "./recorder.js";
import { rollUp } from "./roll-up.js";
import type { SalesStore } from "./sales-store.js";
import type { KeyStatistics, StatisticsQuery } from "./statistics-view.js";
import { type DayTotal, summarise, type UsageSummary } from "./summary.js";
import type { UsageCounts } from "./usage.js";
import type { RouteSum, UsageStore } from "./usage-store.js";

export interface UsageContext {
  readonly store: UsageStore & DashboardStore & SalesStore & Pick<AccessStore, "findKey" | "findBusiness">;
  readonly recorder: UsageRecorder;
  /** Stores the rate-limit windows; may be another database than `store`. */
  readonly limits: RateLimitStore;
  readonly clock: Clock;
}

const TOP = 10;

/**
 * The usage of a key in a period that ends now. Revoked keys have statistics too. Source: contract, Usage statistics.
 * Errors: forbidden, not-found.
 */
export async function keyStatistics(
  context: UsageContext,
  actor: Actor,
  keyId: string,
  { period }: StatisticsQuery,
): Promise<Result<KeyStatistics, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  const key = parseId(keyId) === null ? null : await context.store.findKey(actor.businessId, keyId);
  if (key === null) return err(notFound("apiKey", keyId));
  const business = await context.store.findBusiness(key.businessId);
  if (business === null) return err(notFound("business", key.businessId));
  const limit = rateWithin(business.tier, key.rateLimitPerHour);
  const now = context.clock.now();
  const window = windowOf(period, now);
  const summary = await summaryOf(context, key.businessId, key.id, window);
  const currentUsage = await currentUsageOf(context.limits, key, now);
  const { totals, routes, days, peak } = summary;
  return ok({
    period,
    totalRequests: totals.requests,
    successfulRequests: totals.requests - totals.errors,
    errorRequests: totals.errors,
    averageResponseTime: averageResponseTimeOf(totals),
    topEndpoints: topEndpointsOf(routes),
    dailyUsage: dailyUsageOf(days),
    rateLimitStats: {
      currentUsage,
      limit,
      percentage: hundredths((currentUsage / limit) * 100),
      peakUsage: peak.admitted,
      peakTime: toTimestamp(peak.at),
      rateLimitHits: totals.refusals,
      averageRequestsPerHour: hundredths(totals.requests / window.hours),
    },
  });
}

/**
 * The usage of a key in a window; `keyId` null = of the business. Flushes this process's counts first, and adds counts
 * that could not be written.
 */
export async function summaryOf(
  { store, recorder }: Pick<UsageContext, "store" | "recorder">,
  businessId: string,
  keyId: string | null,
  window: PeriodWindow,
): Promise<UsageSummary> {
  const slices = slicesOf(window);
  const unwritten = (await recorder.flush()).filter((usage) => usage.businessId === businessId);
  const rows = rollUp(unwritten).filter((row) => row.keyId === keyId);
  const stored = await store.sumUsage(businessId, keyId, slices);
  return summarise([stored, sumRows(rows, slices)], window);
}

/** In milliseconds; 0 without requests. */
export function averageResponseTimeOf({ requests, durationUs }: UsageCounts): number {
  return requests === 0 ? 0 : hundredths(durationUs / requests / 1_000);
}

export function topEndpointsOf(routes: readonly RouteSum[]): KeyStatistics["topEndpoints"] {
  return routes.slice(0, TOP).map(({ method, path, requests }) => ({ endpoint: path, method, count: requests }));
}

export function dailyUsageOf(days: readonly DayTotal[]): KeyStatistics["dailyUsage"] {
  return days.map(({ day, counts }) => ({
    date: dateOf(day),
    requests: counts.requests,
    errors: counts.errors,
    averageResponseTime: averageResponseTimeOf(counts),
  }));
}

function dateOf(instant: Instant): string {
  return toTimestamp(instant).slice(0, "2026-01-01".length);
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
