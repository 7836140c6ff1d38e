import { NO_SLOT, SALES_OUTCOMES, type SalesStore, SLOT_MS, slotOf } from "@budgetkit/core/store";
import { asInteger, asOneOf, asText, idToFind } from "@budgetkit/store-kit";
import { OVERDUE } from "../budgets/budget-filters.js";
import type { Connection } from "../commit/connection.js";

/** The field of a document, of overdue rows alone. */
const FIELD = (name: string) => `(document::json ->> '${name}')`;

const OF_ANY_TIME = `FROM @sales_sums WHERE business_id = $1 AND slot = ${NO_SLOT}`;

export function postgresSales(connection: Connection): SalesStore {
  const sumSales = connection.rows(
    `WITH overdue AS MATERIALIZED (
       SELECT coalesce(${FIELD("sentAt")}::bigint, created_at) / ${SLOT_MS} AS slot, currency, count(*) AS budgets,
         sum(total_minor) AS total
       FROM @budgets WHERE business_id = $1 AND ${OVERDUE} <= $2 GROUP BY 1, 2
     )
     SELECT width_bucket(slot, string_to_array($5, ',')::bigint[]) - 1, kind, currency, sum(budgets)::bigint, sum(total)
     FROM (
       SELECT slot, kind, currency, budgets, total FROM @sales_sums
       WHERE business_id = $1 AND slot >= $3 AND slot < $4
       UNION ALL SELECT slot, 'waiting', currency, -budgets, -total FROM overdue WHERE slot >= $3 AND slot < $4
       UNION ALL SELECT slot, 'lost', currency, budgets, total FROM overdue WHERE slot >= $3 AND slot < $4
     ) AS shown GROUP BY 1, 2, 3 HAVING sum(budgets) > 0 ORDER BY 1, 2, 3`,
  );
  const sumBalances = connection.rows(
    `SELECT currency, budgets, total ${OF_ANY_TIME} AND kind = 'balance' AND budgets > 0 ORDER BY currency`,
  );
  const countOpen = connection.rows(
    `SELECT (SELECT coalesce(sum(budgets), 0)::bigint ${OF_ANY_TIME} AND kind = 'deposit') - (
         SELECT count(*) FROM @budgets
         WHERE business_id = $1 AND ${OVERDUE} <= $2 AND ${FIELD("acceptance")} IS NOT NULL
       ), (
         SELECT count(*) FROM @budgets WHERE business_id = $1 AND ${OVERDUE} > $2 AND valid_until <= $3
       )`,
  );

  return {
    sumSales: async (businessId, starts, now) => {
      const slots = starts.map(slotOf);
      const bounds = [slots[0] ?? 0, slots.at(-1) ?? 0] as const;
      const rows = await sumSales(idToFind(businessId), now, ...bounds, slots.join(","));
      return rows.map(([period, outcome, currency, budgets, total]) => ({
        period: asInteger(period),
        outcome: asOneOf(SALES_OUTCOMES, outcome),
        currency: asText(currency),
        budgets: asInteger(budgets),
        total: BigInt(asText(total)),
      }));
    },

    sumOpen: async (businessId, now, until) => {
      const balances = await sumBalances(idToFind(businessId));
      const [counts] = await countOpen(idToFind(businessId), now, until);
      return {
        balances: balances.map(([currency, budgets, total]) => ({
          currency: asText(currency),
          budgets: asInteger(budgets),
          total: BigInt(asText(total)),
        })),
        depositsDue: asInteger(counts?.[0]),
        expiring: asInteger(counts?.[1]),
      };
    },
  };
}
