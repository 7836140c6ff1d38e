import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from "../kernel/clock.js";
import { addCounts, type MinuteUsage, USAGE_GRAINS, type UsageGrain, type UsageRow } from "./usage.js";

const GRAIN_MS: Readonly<Record<UsageGrain, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  "hour-total": HOUR_MS,
};

/** Rounds down to a multiple of `lengthMs`; days begin at midnight UTC. */
export function floorTo(instant: Instant, lengthMs: number): Instant {
  return Math.floor(instant / lengthMs) * lengthMs;
}

/** Rows in every grain, for the key and for the business. Rows with the same name are summed. */
export function rollUp(minutes: readonly MinuteUsage[]): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const usage of minutes) {
    for (const grain of USAGE_GRAINS) {
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
  const name = [row.businessId, row.keyId ?? "", row.grain, row.at, row.method, row.path].join(" ");
  const present = rows.get(name);
  rows.set(name, present === undefined ? row : { ...row, ...addCounts(present, row) });
}
