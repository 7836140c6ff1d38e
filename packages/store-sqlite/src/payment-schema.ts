import type { Migration } from "./migrations.js";

/** Payments. Budgets that were there before have been paid nothing and wait for no payment. */
export const PAYMENT_MIGRATION: Migration = {
  version: 6,
  sql: `
    CREATE TABLE budgetkit_payments (
      business_id INTEGER NOT NULL,
      budget_id INTEGER NOT NULL,
      reference TEXT NOT NULL,
      id INTEGER NOT NULL,
      amount INTEGER NOT NULL,
      currency TEXT NOT NULL,
      paid_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      created_by TEXT NOT NULL,
      PRIMARY KEY (business_id, budget_id, reference)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX budgetkit_payments_by_creation ON budgetkit_payments (business_id, budget_id, created_at, id);

    UPDATE budgetkit_budgets SET document = json_insert(document, '$.paid', 0, '$.acceptance', NULL);
  `,
};
