/**
 * Each entry has the revision of its subject and a hash that chains it to the entry before. Stored entries are numbered
 * in their order; the chain begins with the next one. They are written to a new table: an update of all would leave as
 * many dead rows, and change every index twice.
 */
export const LEDGER = `
  ALTER TABLE @events RENAME TO former_events;
  CREATE TABLE @events (
    business_id bigint NOT NULL,
    sequence bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    occurred_at bigint NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    document text NOT NULL,
    revision bigint NOT NULL,
    hash text COLLATE "C" -- null = from before the chain
  );
  INSERT INTO @events (business_id, sequence, id, type, occurred_at, subject_id, document, revision)
  SELECT business_id, sequence, id, type, occurred_at, subject_id, document,
    row_number() OVER (PARTITION BY business_id, split_part(type, '.', 1), subject_id ORDER BY sequence)
  FROM @former_events;
  DROP TABLE @former_events;
  CREATE INDEX events_by_age ON @events (occurred_at);
  CREATE INDEX events_of_subject ON @events (business_id, subject_id, sequence);
  ALTER TABLE @events ADD PRIMARY KEY (business_id, sequence);

  -- The last revisions of subjects whose entries were removed. The kind is what the type of an entry has before the dot.
  CREATE TABLE @former_revisions (
    business_id bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (business_id, kind, subject_id)
  );

  ALTER TABLE @event_counters ADD COLUMN last_hash text COLLATE "C"; -- null = the chain has not begun

  DROP FUNCTION IF EXISTS @draw_sequences(bigint, bigint);
`;
