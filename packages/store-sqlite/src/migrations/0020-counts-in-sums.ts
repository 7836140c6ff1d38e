import type { Migration } from "../engine/migrations.js";

/** Lists count by the sums of budgets, which have the counts by currency too. */
export const COUNTS_IN_SUMS: Migration = {
  version: 20,
  sql: `
    DROP TABLE budgetkit_budget_counts;
  `,
};
