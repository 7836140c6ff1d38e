import { addCounts, sumRows, type UsageRow, type UsageStore } from "@budgetkit/core/store";
import type { OpenTables, Tables } from "./tables.js";
import { frozenCopy } from "./tenant-table.js";

export function memoryUsage(open: OpenTables): UsageStore {
  return {
    addUsage: async (rows) => {
      const { usage } = open();
      for (const row of rows) {
        const present = usage.get(placeOf(row));
        usage.set(placeOf(row), frozenCopy(present === undefined ? row : { ...row, ...addCounts(present, row) }));
      }
    },

    sumUsage: async (businessId, keyId, slices) => {
      const rows = [...open().usage.values()].filter((row) => row.businessId === businessId && row.keyId === keyId);
      return sumRows(rows, slices);
    },

    pruneUsage: async (before, limit) => {
      const tables = open();
      const counts = Object.entries(before).map(([grain, until]) => pruneGrain(tables, { grain, until, limit }));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

function placeOf({ businessId, keyId, grain, at, method, path }: UsageRow): string {
  return JSON.stringify([businessId, keyId, grain, at, method, path]);
}

function pruneGrain(
  { usage }: Tables,
  { grain, until, limit }: { readonly grain: string; readonly until: number; readonly limit: number },
): number {
  const old = [...usage].filter(([, row]) => row.grain === grain && row.at < until).slice(0, limit);
  for (const [key] of old) usage.delete(key);
  return old.length;
}
