import { firstInRange, type IdStore, idRange, nextRangeNumber } from "@budgetkit/core/store";
import { asInteger, idToWrite } from "@budgetkit/store-kit";
import type { Connection } from "./connection.js";

export function sqliteIds(connection: Connection): IdStore {
  const find = connection.row("SELECT next, range_end FROM budgetkit_id_ranges WHERE business_id = ?");
  const findRange = connection.value("SELECT next_range FROM budgetkit_ids");
  const drawRange = connection.command("UPDATE budgetkit_ids SET next_range = ?");
  const setRange = connection.command(
    `INSERT INTO budgetkit_id_ranges (business_id, next, range_end) VALUES (?, ?, ?)
     ON CONFLICT (business_id) DO UPDATE SET next = excluded.next, range_end = excluded.range_end`,
  );

  return {
    reserveIds: async (businessId, count, above = 0) => {
      const business = idToWrite(businessId);
      return connection.write(() => {
        const [next, end] = (find(business) ?? [0, 0]).map(asInteger);
        const stored = { next: next ?? 0, end: end ?? 0 }; // 0: the business has no range
        const first = firstInRange(stored, count, above);
        if (first !== null) {
          setRange(business, first + count, stored.end);
          return first;
        }
        const number = nextRangeNumber(asInteger(findRange()), above);
        const range = idRange(number);
        drawRange(number + 1);
        setRange(business, range.first + count, range.end);
        return range.first;
      });
    },
  };
}
