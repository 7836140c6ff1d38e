import type { Migration } from "./migrations.js";

/**
 * Revisions: what a budget was before its content changed, one row each. The present one is the budget's own row.
 * Budgets that were there before are at their first revision, and the customer has been asked about all but the drafts.
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
        'asked', json(iif(coalesce(document ->> '$.deletion.from', document ->> '$.status') = 'DRAFT', 'false', 'true'))
      )
    );
  `,
};
