import type { Migration } from "./migrations.js";

/**
 * Revisions: what a budget was before its content changed, one row each. The present one is the budget's own row.
 * Budgets that were there before are at their first revision, of which it is not known when it was asked about: one
 * that waits or was answered has been.
 */
export const REVISION_MIGRATION: Migration = {
  version: 8,
  sql: `
    CREATE TABLE budgetkit_budget_revisions (
      business_id INTEGER NOT NULL,
      budget_id INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, budget_id, revision)
    ) STRICT;

    UPDATE budgetkit_budgets SET document = json_insert(
      document,
      '$.revision', 1,
      '$.revised', json_object(
        'at', document -> '$.createdAt',
        'by', document ->> '$.createdBy',
        'changes', json_array(),
        'asked', json(iif(document ->> '$.status' = 'DRAFT', 'false', 'true'))
      )
    );
  `,
};
