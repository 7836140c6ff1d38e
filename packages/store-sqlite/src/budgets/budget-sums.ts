import { BUDGET_STATUSES, type Budget, type DashboardStore } from "@budgetkit/core/store";
import { asInteger, asOneOf, asText, idToFind, type Row } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";
import { OVERDUE } from "./budget-filters.js";

/** The fields of a budget that the sums depend on. */
export type Summed = Pick<Budget, "status" | "currency" | "total">;

/** Updates the sums of budgets in the transaction of each change. */
export interface BudgetSums {
  add(business: number, budget: Summed): void;
  move(business: number, from: Summed, to: Summed): void;
}

const LOW_BITS = 26;
const LOW = 2 ** LOW_BITS;

export function budgetSums(connection: Connection): BudgetSums {
  const adjust = connection.command(
    `INSERT INTO budgetkit_budget_sums (business_id, status, currency, budgets, total_high, total_low)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (business_id, status, currency) DO UPDATE SET
       budgets = budgets + excluded.budgets,
       total_high = total_high + excluded.total_high,
       total_low = total_low + excluded.total_low`,
  );

  function change(business: number, { status, currency, total }: Summed, sign: 1 | -1): void {
    adjust(business, status, currency, sign, sign * Math.floor(total / LOW), sign * (total % LOW));
  }

  return {
    add: (business, budget) => change(business, budget, 1),
    move: (business, from, to) => {
      if (from.status === to.status && from.currency === to.currency && from.total === to.total) return;
      change(business, from, -1);
      change(business, to, 1);
    },
  };
}

export function sqliteBudgetSums(connection: Connection): Pick<DashboardStore, "sumBudgets"> {
  const find = connection.rows(
    `WITH overdue AS MATERIALIZED (
       SELECT currency, count(*) AS budgets, sum((document ->> 'total') >> ${LOW_BITS}) AS total_high,
         sum((document ->> 'total') & ${LOW - 1}) AS total_low
       FROM budgetkit_budgets INDEXED BY budgetkit_budgets_overdue_of_business
       WHERE business_id = ? AND ${OVERDUE} GROUP BY currency
     )
     SELECT status, currency, sum(budgets), sum(total_high), sum(total_low) FROM (
       SELECT status, currency, budgets, total_high, total_low FROM budgetkit_budget_sums WHERE business_id = ?
       UNION ALL SELECT 'PENDING', currency, -budgets, -total_high, -total_low FROM overdue
       UNION ALL SELECT 'EXPIRED', currency, budgets, total_high, total_low FROM overdue
     ) GROUP BY status, currency HAVING sum(budgets) > 0`,
  );
  return {
    sumBudgets: (businessId, now) =>
      connection.read(() =>
        find(idToFind(businessId), now, idToFind(businessId)).map(([status, currency, budgets, high, low]) => ({
          status: asOneOf(BUDGET_STATUSES, status),
          currency: asText(currency),
          budgets: asInteger(budgets),
          total: (BigInt(asInteger(high)) << BigInt(LOW_BITS)) + BigInt(asInteger(low)),
        })),
      ),
  };
}

/** The columns that {@link asSummed} reads. Only the document has the total in minor units. */
export const SUMMED_COLUMNS = "status, currency, document ->> 'total'";

export function asSummed([status, currency, total]: Row): Summed {
  return { status: asOneOf(BUDGET_STATUSES, status), currency: asText(currency), total: asInteger(total) };
}
