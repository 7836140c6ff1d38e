import type { Migration } from "../engine/migrations.js";

/**
 * A series of events and a range of ids for each business. The stored events of a business are numbered from 1 in their
 * order. Ids that exist stay; ranges begin above them.
 */
export const BUSINESS_SEQUENCES: Migration = {
  version: 3,
  sql: `
    -- In the order of the table, so that the update below reads and writes each page once.
    CREATE TABLE budgetkit_numbered (position INTEGER PRIMARY KEY, sequence INTEGER NOT NULL) STRICT;
    INSERT INTO budgetkit_numbered (position, sequence)
    SELECT sequence, row_number() OVER (PARTITION BY business_id ORDER BY sequence) FROM budgetkit_events
    ORDER BY sequence;
    DROP INDEX budgetkit_events_of_business;
    DROP INDEX budgetkit_events_of_subject;
    ALTER TABLE budgetkit_events RENAME COLUMN sequence TO position;
    ALTER TABLE budgetkit_events ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
    UPDATE budgetkit_events SET sequence = (
      SELECT sequence FROM budgetkit_numbered AS numbered WHERE numbered.position = budgetkit_events.position
    );
    DROP TABLE budgetkit_numbered;
    CREATE UNIQUE INDEX budgetkit_events_of_business ON budgetkit_events (business_id, sequence);
    CREATE INDEX budgetkit_events_of_subject ON budgetkit_events (business_id, subject_id, sequence);

    -- The last sequence of each business. Its event may have been removed.
    CREATE TABLE budgetkit_event_counters (
      business_id INTEGER PRIMARY KEY,
      last_sequence INTEGER NOT NULL
    ) STRICT;
    INSERT INTO budgetkit_event_counters (business_id, last_sequence)
    SELECT business_id, max(sequence) FROM budgetkit_events GROUP BY business_id;

    ALTER TABLE budgetkit_undispatched_events RENAME COLUMN sequence TO position;
    ALTER TABLE budgetkit_undispatched_events ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
    UPDATE budgetkit_undispatched_events SET sequence = events.sequence
    FROM budgetkit_events AS events WHERE events.position = budgetkit_undispatched_events.position;
    CREATE UNIQUE INDEX budgetkit_undispatched_events_of_business
      ON budgetkit_undispatched_events (business_id, sequence);

    -- "next" is the next id of a business. Range n has the ids from n * 10^9 + 1 to (n + 1) * 10^9 - 1.
    ALTER TABLE budgetkit_ids ADD COLUMN next_range INTEGER NOT NULL DEFAULT 1;
    UPDATE budgetkit_ids SET next_range = next / 1000000000 + 1;

    -- The range in which each business draws its ids. Not in one table with the sequences, which commits lock.
    CREATE TABLE budgetkit_id_ranges (
      business_id INTEGER PRIMARY KEY,
      next INTEGER NOT NULL,
      range_end INTEGER NOT NULL -- exclusive
    ) STRICT;
  `,
};
