import type { Migration } from "../engine/migrations.js";

/** The numbers of budgets, and the next value of each series. */
export const BUDGET_NUMBERS: Migration = {
  version: 10,
  sql: `
    CREATE TABLE budgetkit_number_series (
      business_id INTEGER NOT NULL,
      series TEXT NOT NULL,
      next INTEGER NOT NULL,
      PRIMARY KEY (business_id, series)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE budgetkit_budget_numbers (
      business_id INTEGER NOT NULL,
      number TEXT NOT NULL,
      budget_id INTEGER NOT NULL,
      PRIMARY KEY (business_id, number)
    ) STRICT, WITHOUT ROWID;
  `,
};
