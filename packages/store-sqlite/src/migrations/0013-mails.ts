import type { Migration } from "../engine/migrations.js";

/** Mails of budgets, the checks for reminders of mailed budgets, and the customers who want no reminders. */
export const MAILS: Migration = {
  version: 13,
  sql: `
    CREATE TABLE budgetkit_mails (
      business_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      budget_id INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      due_at INTEGER, -- the next attempt, or the end of the running one's lease; null = finished
      attempts INTEGER NOT NULL,
      document TEXT NOT NULL, -- its due time and attempts are the columns
      UNIQUE (business_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_mails_of_budget ON budgetkit_mails (business_id, budget_id, created_at, id);
    CREATE INDEX budgetkit_mails_by_due ON budgetkit_mails (due_at) WHERE due_at IS NOT NULL;

    CREATE TABLE budgetkit_reminder_checks (
      business_id INTEGER NOT NULL,
      budget_id INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      claims INTEGER NOT NULL,
      document TEXT NOT NULL, -- its due time and claims are the columns
      PRIMARY KEY (business_id, budget_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX budgetkit_reminder_checks_by_due ON budgetkit_reminder_checks (due_at);

    CREATE TABLE budgetkit_reminder_opt_outs (
      business_id INTEGER NOT NULL,
      customer_id TEXT NOT NULL,
      opted_out_at INTEGER NOT NULL,
      PRIMARY KEY (business_id, customer_id)
    ) STRICT, WITHOUT ROWID;
  `,
};
