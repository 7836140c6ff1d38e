import type { Migration } from "../engine/migrations.js";

/** The budgets and bytes that each business stores, for its quota. Filled with what is stored already. */
export const QUOTAS: Migration = {
  version: 5,
  sql: `
    CREATE TABLE budgetkit_storage_use (
      business_id INTEGER PRIMARY KEY,
      budgets INTEGER NOT NULL,
      document_bytes INTEGER NOT NULL, -- of budgets, earlier revisions and events
      attachment_bytes INTEGER NOT NULL
    ) STRICT;
    INSERT INTO budgetkit_storage_use (business_id, budgets, document_bytes, attachment_bytes)
    SELECT business_id, sum(budgets), sum(documents), sum(attachments) FROM (
      SELECT business_id, 1 AS budgets, octet_length(document) AS documents, 0 AS attachments FROM budgetkit_budgets
      UNION ALL
      SELECT business_id, 0, octet_length(document), 0 FROM budgetkit_budget_revisions
      UNION ALL
      SELECT business_id, 0, octet_length(document), 0 FROM budgetkit_events
      UNION ALL
      SELECT business_id, 0, 0, document ->> '$.size' FROM budgetkit_attachments
    ) GROUP BY business_id;
  `,
};
