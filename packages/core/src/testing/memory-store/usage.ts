import { addCounts, type UsageRow } from "../../usage/usage.js";
import type { UsageSlice, UsageStore } from "../../usage/usage-store.js";
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

    findUsage: async (businessId, keyId, slices) =>
      [...open().usage.values()].filter(
        (row) => row.businessId === businessId && row.keyId === keyId && slices.some((slice) => isIn(slice, row)),
      ),

    pruneUsage: async (before, limit) => {
      const tables = open();
      const counts = Object.entries(before).map(([grain, moment]) => pruneGrain(tables, { grain, moment, limit }));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

function placeOf({ businessId, keyId, grain, at, method, path }: UsageRow): string {
  return JSON.stringify([businessId, keyId, grain, at, method, path]);
}

function isIn({ grain, from, until }: UsageSlice, row: UsageRow): boolean {
  return row.grain === grain && row.at >= from && row.at < until;
}

function pruneGrain(
  { usage }: Tables,
  { grain, moment, limit }: { readonly grain: string; readonly moment: number; readonly limit: number },
): number {
  const old = [...usage].filter(([, row]) => row.grain === grain && row.at < moment).slice(0, limit);
  for (const [place] of old) usage.delete(place);
  return old.length;
}
