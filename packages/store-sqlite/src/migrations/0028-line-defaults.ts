import type { Migration } from "../engine/migrations.js";

/** What a product or variant brings to the lines of budgets that name it, as JSON; null = nothing. */
export const LINE_DEFAULTS: Migration = {
  version: 28,
  sql: "ALTER TABLE budgetkit_product_summaries ADD COLUMN line_defaults TEXT;",
};
