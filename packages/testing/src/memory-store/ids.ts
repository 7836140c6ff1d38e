import { type IdStore, idRange } from "@budgetkit/core/store";
import type { OpenTables } from "./tables.js";

export function memoryIds(open: OpenTables): IdStore {
  return {
    reserveIds: async (businessId, count) => {
      const tables = open();
      let range = tables.idRanges.get(businessId);
      if (range === undefined || range.next + count > range.end) {
        const { first, end } = idRange(tables.nextIdRange);
        tables.nextIdRange += 1;
        range = { next: first, end };
        tables.idRanges.set(businessId, range);
      }
      range.next += count;
      return range.next - count;
    },
  };
}
