import { utc } from "@date-fns/utc";
import { hoursToMilliseconds } from "date-fns/hoursToMilliseconds";
import { subHours } from "date-fns/subHours";
import { HOUR_MS, type Instant } from "../kernel/clock.js";
import { firstFrom, startOf } from "./grain.js";
import type { UsageRow } from "./usage.js";
import type { UsageSlice, UsageSums } from "./usage-store.js";

/** Source: contract, API key management. */
export const PERIODS = ["1h", "24h", "7d", "30d", "90d"] as const;
export type Period = (typeof PERIODS)[number];

interface Extent {
  readonly hours: number;
  readonly step: "minute" | "hour"; // the period begins at a whole one
}

const EXTENTS: Readonly<Record<Period, Extent>> = {
  "1h": { hours: 1, step: "minute" },
  "24h": { hours: 24, step: "minute" },
  "7d": { hours: 7 * 24, step: "hour" },
  "30d": { hours: 30 * 24, step: "hour" },
  "90d": { hours: 90 * 24, step: "hour" },
};

/** How far statistics look back at most: in all, and by minute. */
export const LONGEST_MS = hoursToMilliseconds(EXTENTS["90d"].hours) + HOUR_MS;
export const LONGEST_BY_MINUTE_MS = hoursToMilliseconds(EXTENTS["24h"].hours) + HOUR_MS;

/** A period that ends now. */
export interface PeriodWindow {
  readonly from: Instant; // included
  readonly until: Instant; // excluded: the millisecond after now
  readonly hours: number; // nominal: 168 for 7d
}

/**
 * The window of a period. It begins at a whole minute (1h and 24h) or a whole hour (7d, 30d and 90d), so it may be a
 * little longer than the period.
 */
export function windowOf(period: Period, now: Instant): PeriodWindow {
  const { hours, step } = EXTENTS[period];
  return { from: startOf(step, subHours(now, hours, { in: utc }).getTime()), until: now + 1, hours };
}

/**
 * The slices to read for a window: whole days, the hours before the first whole day, the minutes before the first whole
 * hour, and the totals of whole hours.
 */
export function slicesOf({ from, until }: PeriodWindow): UsageSlice[] {
  const firstHour = firstFrom("hour", from);
  const firstDay = firstFrom("day", firstHour);
  const slices: UsageSlice[] = [
    { grain: "minute", from, until: Math.min(firstHour, until) },
    { grain: "hour", from: firstHour, until: Math.min(firstDay, until) },
    { grain: "day", from: firstDay, until },
    { grain: "hour-total", from: firstHour, until },
  ];
  return slices.filter((slice) => slice.from < slice.until);
}

/** The sums of rows in memory, in the form that a store returns. */
export function sumRows(rows: readonly UsageRow[], slices: readonly UsageSlice[]): UsageSums {
  const found = rows.filter((row) =>
    slices.some(({ grain, from, until }) => row.grain === grain && row.at >= from && row.at < until),
  );
  const moments = found.map(({ grain, at, requests, errors, refusals, durationUs }) => {
    return { grain, at, requests, errors, refusals, durationUs };
  });
  const byRoute = found.filter(({ grain }) => grain !== "hour-total");
  return { moments, routes: byRoute.map(({ method, path, requests }) => ({ method, path, requests })) };
}
