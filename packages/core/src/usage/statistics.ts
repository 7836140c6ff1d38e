import { err, ok, type Result } from "neverthrow";
import { refuseUnlessReader } from "../access/permissions.js";
import type { Actor } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { parseId } from "../kernel/ids.js";
import { notFound, type Problem } from "../kernel/problem.js";
import { currentUsageOf } from "../limits/rate-limiter.js";
import { type PeriodWindow, slicesOf, sumRows, windowOf } from "./period.js";
import { rollUp } from "./roll-up.js";
import type { StatisticsQuery } from "./statistics-query.js";
import type { KeyStatistics } from "./statistics-view-schema.js";
import { type DayTotal, summarise, type UsageSummary } from "./summary.js";
import type { UsageCounts } from "./usage.js";
import type { UsageContext } from "./usage-context.js";
import type { RouteSum } from "./usage-store.js";

const TOP = 10;

/**
 * How a key was used within a period that ends now; a revoked key too. Source: contract, Usage statistics.
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
      limit: key.rateLimitPerHour,
      percentage: hundredths((currentUsage / key.rateLimitPerHour) * 100),
      peakUsage: peak.admitted,
      peakTime: toTimestamp(peak.at),
      rateLimitHits: totals.refusals,
      averageRequestsPerHour: hundredths(totals.requests / window.hours),
    },
  });
}

/**
 * The usage of a key, or of the business (null), within a window. What this process has not written yet is written
 * first; what cannot be written just now is counted in all the same.
 */
export async function summaryOf(
  { store, recorder }: Pick<UsageContext, "store" | "recorder">,
  businessId: string,
  keyId: string | null,
  window: PeriodWindow,
): Promise<UsageSummary> {
  const slices = slicesOf(window);
  const unwritten = (await recorder.flush()).filter((usage) => usage.businessId === businessId);
  const added = rollUp(unwritten).filter((row) => row.keyId === keyId);
  const kept = await store.sumUsage(businessId, keyId, slices);
  return summarise([kept, sumRows(added, slices)], window);
}

/** In milliseconds; 0 without requests. */
export function averageResponseTimeOf({ requests, durationUs }: UsageCounts): number {
  return requests === 0 ? 0 : hundredths(durationUs / requests / 1_000);
}

export function topEndpointsOf(routes: readonly RouteSum[]): KeyStatistics["topEndpoints"] {
  return routes.slice(0, TOP).map(({ method, path, requests }) => ({ endpoint: path, method, count: requests }));
}

export function dailyUsageOf(days: readonly DayTotal[]): KeyStatistics["dailyUsage"] {
  return days.map(({ day, requests }) => ({ date: dateOf(day), requests }));
}

function dateOf(instant: Instant): string {
  return toTimestamp(instant).slice(0, "2026-01-01".length);
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
