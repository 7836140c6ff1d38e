import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from "../kernel/clock.js";
import { floorTo } from "./roll-up.js";
import type { UsageRow } from "./usage.js";
import type { UsageSlice, UsageSums } from "./usage-store.js";

/** Source: contract, API key management. */
export const PERIODS = ["1h", "24h", "7d", "30d", "90d"] as const;
export type Period = (typeof PERIODS)[number];

interface Extent {
  readonly lengthMs: number;
  readonly stepMs: number; // the period begins at a multiple of this
}

const EXTENTS: Readonly<Record<Period, Extent>> = {
  "1h": { lengthMs: HOUR_MS, stepMs: MINUTE_MS },
  "24h": { lengthMs: DAY_MS, stepMs: MINUTE_MS },
  "7d": { lengthMs: 7 * DAY_MS, stepMs: HOUR_MS },
  "30d": { lengthMs: 30 * DAY_MS, stepMs: HOUR_MS },
  "90d": { lengthMs: 90 * DAY_MS, stepMs: HOUR_MS },
};

/** How far statistics look back at most: in all, and by minute. */
export const LONGEST_MS = EXTENTS["90d"].lengthMs + HOUR_MS;
export const LONGEST_BY_MINUTE_MS = EXTENTS["24h"].lengthMs + HOUR_MS;

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
  const { lengthMs, stepMs } = EXTENTS[period];
  return { from: floorTo(now - lengthMs, stepMs), until: now + 1, hours: lengthMs / HOUR_MS };
}

/**
 * The slices to read for a window: whole days, the hours before the first whole day, the minutes before the first whole
 * hour, and the totals of whole hours.
 */
export function slicesOf({ from, until }: PeriodWindow): UsageSlice[] {
  const firstHour = ceilTo(from, HOUR_MS);
  const firstDay = ceilTo(firstHour, DAY_MS);
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

function ceilTo(instant: Instant, lengthMs: number): Instant {
  return Math.ceil(instant / lengthMs) * lengthMs;
}
