import type { Migration } from "./migrations.js";

/**
 * Usage statistics, and the sums that the dashboard shows. Budgets that were there before are summed once, here; from
 * then on each change of a budget moves its sums along.
 */
export const USAGE_MIGRATION: Migration = {
  version: 4,
  sql: `
    CREATE TABLE budgetkit_usage (
      business_id INTEGER NOT NULL,
      key_id INTEGER NOT NULL, -- -1 = all keys of the business
      grain TEXT NOT NULL,
      at INTEGER NOT NULL,
      method TEXT NOT NULL,
      path TEXT NOT NULL,
      requests INTEGER NOT NULL,
      errors INTEGER NOT NULL,
      refusals INTEGER NOT NULL,
      duration_us INTEGER NOT NULL,
      PRIMARY KEY (business_id, key_id, grain, at, path, method)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX budgetkit_usage_by_age ON budgetkit_usage (grain, at);

    -- A total is total_high * 2^26 + total_low: sums of the two parts stay exact where a sum of totals would overflow.
    CREATE TABLE budgetkit_budget_sums (
      business_id INTEGER NOT NULL,
      status TEXT NOT NULL,
      currency TEXT NOT NULL,
      budgets INTEGER NOT NULL,
      total_high INTEGER NOT NULL,
      total_low INTEGER NOT NULL,
      PRIMARY KEY (business_id, status, currency)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO budgetkit_budget_sums (business_id, status, currency, budgets, total_high, total_low)
      SELECT business_id, status, currency, count(*), sum((document ->> 'total') >> 26), sum((document ->> 'total') & 67108863)
      FROM budgetkit_budgets GROUP BY business_id, status, currency;

    CREATE INDEX budgetkit_keys_by_status
      ON budgetkit_keys (business_id, document ->> 'status', document ->> 'expiresAt');
  `,
};
