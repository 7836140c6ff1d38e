import type { Migration } from "../engine/migrations.js";

/** How a business presents itself on its budgets, as JSON; the version of the business. */
export const BUSINESS_PROFILE: Migration = {
  version: 9,
  sql: `
    ALTER TABLE budgetkit_businesses ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE budgetkit_businesses ADD COLUMN profile TEXT NOT NULL DEFAULT '{}';
  `,
};
