import { BUDGET_STATUSES, type DashboardStore, type Sold } from "@budgetkit/core/store";
import { asInteger, asOneOf, asText, idToFind, orNull, type Row } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";
import { OVERDUE } from "./budget-filters.js";
import { salesSums } from "./sales-sums.js";
import { HIGH_PART, LOW_PART, partsOf, sumOf } from "./sum-parts.js";

/** Updates the sums of budgets in the transaction of each change. */
export interface BudgetSums {
  add(business: number, budget: Sold): void;
  move(business: number, from: Sold, to: Sold): void;
}

export function budgetSums(connection: Connection): BudgetSums {
  const adjust = connection.command(
    `INSERT INTO budgetkit_budget_sums (business_id, status, currency, budgets, total_high, total_low)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (business_id, status, currency) DO UPDATE SET
       budgets = budgets + excluded.budgets,
       total_high = total_high + excluded.total_high,
       total_low = total_low + excluded.total_low`,
  );

  const changeSales = salesSums(connection);

  function change(business: number, { status, currency, total }: Sold, sign: 1 | -1): void {
    adjust(business, status, currency, sign, ...partsOf(sign * total));
  }

  return {
    add: (business, budget) => {
      change(business, budget, 1);
      changeSales(business, null, budget);
    },
    move: (business, from, to) => {
      changeSales(business, from, to);
      if (from.status === to.status && from.currency === to.currency && from.total === to.total) return;
      change(business, from, -1);
      change(business, to, 1);
    },
  };
}

export function sqliteBudgetSums(connection: Connection): Pick<DashboardStore, "sumBudgets"> {
  const find = connection.rows(
    `WITH overdue AS MATERIALIZED (
       SELECT currency, count(*) AS budgets, sum(${HIGH_PART("document ->> 'total'")}) AS total_high,
         sum(${LOW_PART("document ->> 'total'")}) AS total_low
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
          total: sumOf(high, low),
        })),
      ),
  };
}

/** When a budget was sent, in SQL; of a draft: when it was created. */
export const SENT_AT = "coalesce(document ->> 'sentAt', created_at)";

/** The columns that {@link asSold} reads. Only the document has the total in minor units. */
export const SOLD_COLUMNS = `status, currency, coalesce(document ->> 'total', 0), coalesce(document ->> 'paid', 0), document ->> 'withheld', ${SENT_AT},
  document ->> 'acceptance' IS NOT NULL`;

export function asSold([status, currency, total, paid, withheld, sentAt, isAccepted]: Row): Sold {
  return {
    status: asOneOf(BUDGET_STATUSES, status),
    currency: asText(currency),
    total: asInteger(total),
    paid: asInteger(paid),
    withheld: orNull(withheld, asInteger) ?? 0,
    sentAt: asInteger(sentAt),
    isAccepted: isAccepted === 1,
  };
}
