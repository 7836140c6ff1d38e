import type { Migration } from "../engine/migrations.js";

/** Messages of both sides about a budget. */
export const MESSAGES: Migration = {
  version: 26,
  sql: `
    CREATE TABLE budgetkit_messages (
      business_id INTEGER NOT NULL,
      budget_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, budget_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_messages_by_creation ON budgetkit_messages (business_id, budget_id, created_at, id);
  `,
};
