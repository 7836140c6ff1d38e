import type { Migration } from "./migrations.js";

/** Attachments, and the bytes that each key uploads: those that are under way, and those of the last hour. */
export const ATTACHMENT_MIGRATION: Migration = {
  version: 5,
  sql: `
    CREATE TABLE budgetkit_attachments (
      business_id INTEGER NOT NULL,
      budget_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, budget_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_attachments_by_creation ON budgetkit_attachments (business_id, budget_id, created_at, id);
    CREATE INDEX budgetkit_attachments_by_id ON budgetkit_attachments (id);

    CREATE TABLE budgetkit_uploads (
      subject TEXT NOT NULL,
      hold_id TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      leaves_at INTEGER NOT NULL,
      PRIMARY KEY (subject, hold_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX budgetkit_uploads_by_end ON budgetkit_uploads (leaves_at);
  `,
};
