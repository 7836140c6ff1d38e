import type { Instant } from "../kernel/clock.js";
import { startOf } from "./grain.js";
import { addCounts, type MinuteUsage, USAGE_GRAINS, type UsageGrain, type UsageRow } from "./usage.js";

/** Rows in every grain, for the key and for the business. Rows with the same name are summed. */
export function rollUp(minutes: readonly MinuteUsage[]): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const usage of minutes) {
    const hour = startOf("hour", usage.minute);
    const starts = { minute: usage.minute, hour, day: startOf("day", hour), "hour-total": hour };
    for (const grain of USAGE_GRAINS) {
      for (const keyId of [usage.keyId, null]) addRow(rows, rowOf(usage, grain, starts[grain], keyId));
    }
  }
  return [...rows.values()];
}

function rowOf(
  { businessId, route, counts }: MinuteUsage,
  grain: UsageGrain,
  at: Instant,
  keyId: string | null,
): UsageRow {
  const { method, path } = grain === "hour-total" ? { method: "", path: "" } : route;
  return { businessId, keyId, grain, at, method, path, ...counts };
}

function addRow(rows: Map<string, UsageRow>, row: UsageRow): void {
  const name = [row.businessId, row.keyId ?? "", row.grain, row.at, row.method, row.path].join(" ");
  const present = rows.get(name);
  rows.set(name, present === undefined ? row : { ...row, ...addCounts(present, row) });
}
