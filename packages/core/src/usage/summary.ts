import { utc } from "@date-fns/utc";
import { eachDayOfInterval } from "date-fns/eachDayOfInterval";
import type { Instant } from "../kernel/clock.js";
import { startOf } from "./grain.js";
import type { PeriodWindow } from "./period.js";
import { addCounts, NO_USAGE, type UsageCounts } from "./usage.js";
import type { MomentSum, RouteSum, UsageSums } from "./usage-store.js";

export interface UsageSummary {
  readonly totals: UsageCounts;
  readonly routes: readonly RouteSum[]; // most requested first
  readonly days: readonly DayTotal[]; // every UTC day of the window, in order
  readonly peak: Peak;
}

export interface DayTotal {
  readonly day: Instant; // its midnight
  readonly counts: UsageCounts;
}

/** The clock hour (UTC) with the most admitted requests; of equal hours the latest. */
interface Peak {
  readonly at: Instant; // the beginning of the hour, or of the window if that is later
  readonly admitted: number;
}

/** `sums` holds the sums of the window's slices. */
export function summarise(sums: readonly UsageSums[], window: PeriodWindow): UsageSummary {
  const sumsByTime = sums.flatMap((each) => each.moments);
  const byRoute = sumsByTime.filter(({ grain }) => grain !== "hour-total");
  return {
    totals: byRoute.reduce<UsageCounts>(addCounts, NO_USAGE),
    routes: routesOf(sums.flatMap(({ routes }) => routes)),
    days: daysOf(byRoute, window),
    peak: peakOf(sumsByTime, window),
  };
}

function routesOf(sums: readonly RouteSum[]): RouteSum[] {
  const routes = new Map<string, RouteSum>();
  for (const { method, path, requests } of sums) {
    const name = `${method} ${path}`;
    routes.set(name, { method, path, requests: requests + (routes.get(name)?.requests ?? 0) });
  }
  return [...routes.values()].sort(
    (a, b) => b.requests - a.requests || compareText(a.path, b.path) || compareText(a.method, b.method),
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function daysOf(sums: readonly MomentSum[], { from, until }: PeriodWindow): DayTotal[] {
  const counts = new Map<Instant, UsageCounts>();
  for (const sum of sums) {
    const day = startOf("day", sum.at);
    counts.set(day, addCounts(counts.get(day) ?? NO_USAGE, sum));
  }
  return eachDayOfInterval({ start: from, end: until - 1 }, { in: utc }).map((date) => {
    const day = date.getTime();
    return { day, counts: counts.get(day) ?? NO_USAGE };
  });
}

/** The first hour of the window may consist of minute sums; all others have an hour total. */
function peakOf(sums: readonly MomentSum[], { from, until }: PeriodWindow): Peak {
  const hourly = sums.filter(({ grain }) => grain === "minute" || grain === "hour-total");
  const admitted = sumBy(
    hourly,
    ({ at }) => startOf("hour", at),
    (sum) => sum.requests - sum.refusals,
  );
  let peak: Peak = { at: startOf("hour", until - 1), admitted: 0 };
  for (const [hour, count] of admitted) {
    if (count > peak.admitted || (count === peak.admitted && hour > peak.at)) peak = { at: hour, admitted: count };
  }
  return { ...peak, at: Math.max(peak.at, from) };
}

function sumBy(
  sums: readonly MomentSum[],
  keyOf: (sum: MomentSum) => Instant,
  countOf: (sum: MomentSum) => number,
): Map<Instant, number> {
  const totals = new Map<Instant, number>();
  for (const sum of sums) totals.set(keyOf(sum), (totals.get(keyOf(sum)) ?? 0) + countOf(sum));
  return totals;
}
