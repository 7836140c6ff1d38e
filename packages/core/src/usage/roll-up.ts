import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from "../kernel/clock.js";
import { addCounts, type MinuteUsage, type UsageGrain, type UsageRow } from "./usage.js";

const GRAIN_MS: Readonly<Record<UsageGrain, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  "hour-total": HOUR_MS,
};

const GRAINS: readonly UsageGrain[] = ["minute", "hour", "day", "hour-total"];

/** The beginning of the stretch of `lengthMs` that the moment falls into; days begin at midnight UTC. */
export function floorTo(moment: Instant, lengthMs: number): Instant {
  return Math.floor(moment / lengthMs) * lengthMs;
}

/** The rows that minutes count in: each in every grain, for its key and for the business; those of one place summed. */
export function rollUp(minutes: readonly MinuteUsage[]): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const usage of minutes) {
    for (const grain of GRAINS) {
      for (const keyId of [usage.keyId, null]) addRow(rows, rowOf(usage, grain, keyId));
    }
  }
  return [...rows.values()];
}

function rowOf({ businessId, minute, route, counts }: MinuteUsage, grain: UsageGrain, keyId: string | null): UsageRow {
  const { method, path } = grain === "hour-total" ? { method: "", path: "" } : route;
  return { businessId, keyId, grain, at: floorTo(minute, GRAIN_MS[grain]), method, path, ...counts };
}

function addRow(rows: Map<string, UsageRow>, row: UsageRow): void {
  const place = [row.businessId, row.keyId ?? "", row.grain, row.at, row.method, row.path].join(" ");
  const present = rows.get(place);
  rows.set(place, present === undefined ? row : { ...row, ...addCounts(present, row) });
}
