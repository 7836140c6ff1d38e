import { firstInRange, type IdStore, idRange, nextRangeNumber } from "@budgetkit/core/store";
import type { OpenTables } from "./tables.js";

export function memoryIds(open: OpenTables): IdStore {
  return {
    reserveIds: async (businessId, count, above = 0) => {
      const tables = open();
      const range = tables.idRanges.get(businessId);
      const next = range && firstInRange(range, count, above);
      if (range && typeof next === "number") {
        range.next = next + count;
        return next;
      }
      const number = nextRangeNumber(tables.nextIdRange, above);
      const { first, end } = idRange(number);
      tables.nextIdRange = number + 1;
      tables.idRanges.set(businessId, { next: first + count, end });
      return first;
    },
  };
}
