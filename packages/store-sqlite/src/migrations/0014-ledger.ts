import type { Migration } from "../engine/migrations.js";

/**
 * Each entry has the revision of its subject and a hash that chains it to the entry before. Stored entries are numbered
 * in their order; the chain begins with the next one.
 */
export const LEDGER: Migration = {
  version: 14,
  sql: `
    -- In the order of the table, so that the update below reads and writes each page once.
    CREATE TABLE budgetkit_numbered (position INTEGER PRIMARY KEY, revision INTEGER NOT NULL) STRICT;
    INSERT INTO budgetkit_numbered (position, revision)
    SELECT position, row_number() OVER (
      PARTITION BY business_id, substr(type, 1, instr(type, '.') - 1), subject_id ORDER BY sequence
    ) FROM budgetkit_events ORDER BY position;
    ALTER TABLE budgetkit_events ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE budgetkit_events ADD COLUMN hash TEXT; -- null = from before the chain
    UPDATE budgetkit_events SET revision = (
      SELECT revision FROM budgetkit_numbered AS numbered WHERE numbered.position = budgetkit_events.position
    );
    DROP TABLE budgetkit_numbered;

    -- The last revisions of subjects whose entries were removed. The kind is what the type of an entry has before the dot.
    CREATE TABLE budgetkit_former_revisions (
      business_id INTEGER NOT NULL,
      kind TEXT NOT NULL,
      subject_id TEXT NOT NULL,
      revision INTEGER NOT NULL,
      PRIMARY KEY (business_id, kind, subject_id)
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE budgetkit_event_counters ADD COLUMN last_hash TEXT; -- null = the chain has not begun
  `,
};
