import { asInteger, type IdStore, idRange, idToWrite } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";

export function sqliteIds(connection: Connection): IdStore {
  const advance = connection.value(
    `UPDATE budgetkit_id_ranges SET next = next + ? WHERE business_id = ? AND next + ? <= range_end
     RETURNING next`,
  );
  const drawRange = connection.value("UPDATE budgetkit_ids SET next_range = next_range + 1 RETURNING next_range - 1");
  const assignRange = connection.command(
    `INSERT INTO budgetkit_id_ranges (business_id, next, range_end) VALUES (?, ?, ?)
     ON CONFLICT (business_id) DO UPDATE SET next = excluded.next, range_end = excluded.range_end`,
  );

  return {
    reserveIds: async (businessId, count) => {
      const business = idToWrite(businessId);
      return connection.write(() => {
        const end = advance(count, business, count);
        if (end !== undefined) return asInteger(end) - count;
        const range = idRange(asInteger(drawRange()));
        assignRange(business, range.first + count, range.end);
        return range.first;
      });
    },
  };
}
