import { NO_SLOT, SALES_OUTCOMES, type SalesStore, SLOT_MS, slotOf } from "@budgetkit/core/store";
import { asInteger, asOneOf, asText, idToFind } from "@budgetkit/store-kit";
import { OVERDUE } from "../budgets/budget-filters.js";
import { SENT_AT } from "../budgets/budget-sums.js";
import { HIGH_PART, LOW_PART, sumOf } from "../budgets/sum-parts.js";
import type { Connection } from "../engine/connection.js";

const PENDING_BY_END = "FROM budgetkit_budgets INDEXED BY budgetkit_budgets_overdue_of_business WHERE business_id = ?";

/** The rows that are shown as lost before the sweep writes it. */
const OVERDUE_BY_SLOT = `
  SELECT ${SENT_AT} / ${SLOT_MS} AS slot, currency, count(*) AS budgets,
    sum(${HIGH_PART("document ->> 'total'")}) AS total_high, sum(${LOW_PART("document ->> 'total'")}) AS total_low
  ${PENDING_BY_END} AND ${OVERDUE} GROUP BY 1, 2`;

/** Periods are pairs of slots, in JSON. */
const SUM_SALES = `
  WITH overdue AS MATERIALIZED (${OVERDUE_BY_SLOT}),
   periods AS MATERIALIZED (SELECT key AS period, value ->> 0 AS first, value ->> 1 AS after FROM json_each(?))
   SELECT period, kind, currency, sum(budgets), sum(total_high), sum(total_low) FROM (
     SELECT period, kind, currency, budgets, total_high, total_low FROM periods CROSS JOIN budgetkit_sales_sums
     WHERE business_id = ? AND slot >= first AND slot < after
     UNION ALL
     SELECT period, 'waiting', currency, -budgets, -total_high, -total_low
     FROM periods CROSS JOIN overdue WHERE slot >= first AND slot < after
     UNION ALL
     SELECT period, 'lost', currency, budgets, total_high, total_low
     FROM periods CROSS JOIN overdue WHERE slot >= first AND slot < after
   ) GROUP BY period, kind, currency HAVING sum(budgets) > 0 ORDER BY period, kind, currency`;

export function sqliteSales(connection: Connection): SalesStore {
  const sumSales = connection.rows(SUM_SALES);
  const sumBalances = connection.rows(
    `SELECT currency, budgets, total_high, total_low FROM budgetkit_sales_sums
     WHERE business_id = ? AND slot = ${NO_SLOT} AND kind = 'balance' AND budgets > 0 ORDER BY currency`,
  );
  const countDeposits = connection.value(
    `SELECT coalesce(sum(budgets), 0) FROM budgetkit_sales_sums
     WHERE business_id = ? AND slot = ${NO_SLOT} AND kind = 'deposit'`,
  );
  const countOverdueDeposits = connection.value(
    `SELECT count(*) ${PENDING_BY_END} AND ${OVERDUE} AND document ->> 'acceptance' IS NOT NULL`,
  );
  const countExpiring = connection.value(
    `SELECT count(*) ${PENDING_BY_END} AND status = 'PENDING' AND valid_until > ? AND valid_until <= ?`,
  );

  return {
    sumSales: (businessId, starts, now) =>
      connection.read(() => {
        const business = idToFind(businessId);
        const slots = starts.map(slotOf);
        const periods = slots.slice(1).map((after, index) => [slots[index], after]);
        return sumSales(business, now, JSON.stringify(periods), business).map(
          ([period, outcome, currency, budgets, high, low]) => ({
            period: asInteger(period),
            outcome: asOneOf(SALES_OUTCOMES, outcome),
            currency: asText(currency),
            budgets: asInteger(budgets),
            total: sumOf(high, low),
          }),
        );
      }),

    sumOpen: (businessId, now, until) =>
      connection.snapshot(() => {
        const business = idToFind(businessId);
        return {
          balances: sumBalances(business).map(([currency, budgets, high, low]) => ({
            currency: asText(currency),
            budgets: asInteger(budgets),
            total: sumOf(high, low),
          })),
          depositsDue: asInteger(countDeposits(business)) - asInteger(countOverdueDeposits(business, now)),
          expiring: asInteger(countExpiring(business, now, until)),
        };
      }),
  };
}
