import type { Migration } from "../engine/migrations.js";

/** Ends of reminders by recipient: only the recipient who ended them lets them come again. Former ones have none: "". */
export const REMINDER_RECIPIENTS: Migration = {
  version: 25,
  sql: `
    ALTER TABLE budgetkit_reminder_opt_outs RENAME TO budgetkit_former_opt_outs;
    CREATE TABLE budgetkit_reminder_opt_outs (
      business_id INTEGER NOT NULL,
      customer_id TEXT NOT NULL,
      recipient TEXT NOT NULL, -- a digest; empty = unknown
      opted_out_at INTEGER NOT NULL,
      PRIMARY KEY (business_id, customer_id, recipient)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO budgetkit_reminder_opt_outs SELECT business_id, customer_id, '', opted_out_at FROM budgetkit_former_opt_outs;
    DROP TABLE budgetkit_former_opt_outs;
  `,
};
