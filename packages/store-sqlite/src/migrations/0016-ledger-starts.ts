import type { Migration } from "../engine/migrations.js";

/** The last entry of each business that retention has removed, with its signed checkpoint. */
export const LEDGER_STARTS: Migration = {
  version: 16,
  sql: `
    CREATE TABLE budgetkit_ledger_starts (
      business_id INTEGER NOT NULL PRIMARY KEY,
      sequence INTEGER NOT NULL,
      hash TEXT, -- null = from before the chain
      checkpoint TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
};
