import type { Migration } from "./migrations.js";

/** Integrations. */
export const INTEGRATION_MIGRATION: Migration = {
  version: 7,
  sql: `
    CREATE TABLE budgetkit_integrations (
      business_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      version INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_integrations_by_creation ON budgetkit_integrations (business_id, created_at, id);
  `,
};
