import type { Migration } from "../engine/migrations.js";

const SENT = "status NOT IN ('DRAFT', 'DELETED')";
const WON = "status IN ('APPROVED', 'COMPLETED', 'ARCHIVED')";
const TOTAL = "coalesce(document ->> 'total', 0)";
const BALANCE = `${TOTAL} - coalesce(document ->> 'withheld', 0) - coalesce(document ->> 'paid', 0)`;

/**
 * The sums of sent budgets by the quarter of an hour in which they were sent, and of what is open, in the slot 0. Budgets
 * of earlier releases count as sent when they were created. And the views of public links, one row each.
 */
export const SALES: Migration = {
  version: 29,
  sql: `
    -- total = total_high * 2^26 + total_low, as in the sums of budgets.
    CREATE TABLE budgetkit_sales_sums (
      business_id INTEGER NOT NULL,
      slot INTEGER NOT NULL,
      kind TEXT NOT NULL,
      currency TEXT NOT NULL,
      budgets INTEGER NOT NULL,
      total_high INTEGER NOT NULL,
      total_low INTEGER NOT NULL,
      PRIMARY KEY (business_id, slot, kind, currency)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO budgetkit_sales_sums (business_id, slot, kind, currency, budgets, total_high, total_low)
      SELECT business_id, created_at / 900000,
        CASE WHEN status = 'PENDING' THEN 'waiting' WHEN ${WON} THEN 'won' ELSE 'lost' END, currency,
        count(*), sum(${TOTAL} >> 26), sum(${TOTAL} & 67108863)
      FROM budgetkit_budgets WHERE ${SENT} GROUP BY 1, 2, 3, 4;
    INSERT INTO budgetkit_sales_sums (business_id, slot, kind, currency, budgets, total_high, total_low)
      SELECT business_id, 0, 'balance', currency, count(*), sum(balance >> 26), sum(balance & 67108863)
      FROM (SELECT business_id, currency, ${BALANCE} AS balance FROM budgetkit_budgets WHERE ${WON})
      WHERE balance > 0 GROUP BY 1, 4;
    INSERT INTO budgetkit_sales_sums (business_id, slot, kind, currency, budgets, total_high, total_low)
      SELECT business_id, 0, 'deposit', currency, count(*), 0, 0 FROM budgetkit_budgets
      WHERE status = 'PENDING' AND document ->> 'acceptance' IS NOT NULL GROUP BY 1, 4;

    CREATE TABLE budgetkit_viewings (
      business_id INTEGER NOT NULL,
      budget_id INTEGER NOT NULL,
      viewed_at INTEGER NOT NULL,
      device TEXT NOT NULL,
      PRIMARY KEY (business_id, budget_id, viewed_at, device)
    ) STRICT, WITHOUT ROWID;
  `,
};
