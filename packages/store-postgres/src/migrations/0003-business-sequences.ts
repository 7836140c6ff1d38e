/**
 * A series of events and a range of ids for each business. The stored events of a business are numbered from 1 in their
 * order. Ids that exist stay; ranges begin above them.
 *
 * The events are written to a new table: an update of all would leave as many dead rows, and change every index twice.
 */
export const BUSINESS_SEQUENCES = `
  ALTER SEQUENCE @event_sequence RENAME TO event_positions;

  ALTER TABLE @undispatched_events DROP CONSTRAINT undispatched_events_pkey;
  DROP INDEX @undispatched_events_in_order;
  ALTER TABLE @undispatched_events RENAME COLUMN sequence TO position; -- in the order of dispatch, over all businesses
  ALTER TABLE @undispatched_events ADD COLUMN sequence bigint;
  UPDATE @undispatched_events AS waiting SET sequence = numbered.sequence
  FROM (
    SELECT business_id, sequence AS position, row_number() OVER (PARTITION BY business_id ORDER BY sequence) AS sequence
    FROM @events
  ) AS numbered
  WHERE numbered.business_id = waiting.business_id AND numbered.position = waiting.position;
  ALTER TABLE @undispatched_events ALTER COLUMN sequence SET NOT NULL;
  CREATE INDEX undispatched_events_in_order ON @undispatched_events (position);
  ALTER TABLE @undispatched_events ADD PRIMARY KEY (business_id, sequence);

  ALTER TABLE @events RENAME TO former_events;
  CREATE TABLE @events (
    business_id bigint NOT NULL,
    sequence bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    type text COLLATE "C" NOT NULL,
    occurred_at bigint NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    document text NOT NULL
  );
  INSERT INTO @events (business_id, sequence, id, type, occurred_at, subject_id, document)
  SELECT business_id, row_number() OVER (PARTITION BY business_id ORDER BY sequence),
    id, type, occurred_at, subject_id, document
  FROM @former_events;
  DROP TABLE @former_events;
  CREATE INDEX events_by_age ON @events (occurred_at);
  CREATE INDEX events_of_subject ON @events (business_id, subject_id, sequence);
  ALTER TABLE @events ADD PRIMARY KEY (business_id, sequence);

  -- The last sequence of each business. Its event may have been removed.
  CREATE TABLE @event_counters (
    business_id bigint PRIMARY KEY,
    last_sequence bigint NOT NULL
  ) WITH (fillfactor = 50); -- room for HOT updates: each commit with events rewrites a row
  INSERT INTO @event_counters (business_id, last_sequence)
  SELECT business_id, max(sequence) FROM @events GROUP BY business_id;

  -- "next" is the next id of a business. Range n has the ids from n * 10^9 + 1 to (n + 1) * 10^9 - 1.
  ALTER TABLE @ids ADD COLUMN next_range bigint NOT NULL DEFAULT 1;
  UPDATE @ids SET next_range = next / 1000000000 + 1;

  -- The range in which each business draws its ids. Not in one table with the sequences: a transaction of a host may hold
  -- a row of those for long.
  CREATE TABLE @id_ranges (
    business_id bigint PRIMARY KEY,
    next bigint NOT NULL,
    range_end bigint NOT NULL -- exclusive
  ) WITH (fillfactor = 50);
`;
