/**
 * The place of ordered deliveries among those of one subject to one subscriber. Of other deliveries it is null. A claim
 * changes none of the columns of the index.
 */
export const ORDERED_DELIVERIES = `
  DROP VIEW @attempts;
  DROP VIEW @deliveries;
  ALTER TABLE @delivery_queue
    ADD COLUMN ordered_subject text COLLATE "C", -- null = not ordered
    ADD COLUMN ordered_sequence bigint;
  ALTER TABLE @delivery_log ADD COLUMN ordered_subject text COLLATE "C", ADD COLUMN ordered_sequence bigint;
  -- The delivery that has its turn comes first, then those that wait.
  CREATE INDEX delivery_queue_in_order ON @delivery_queue (
    business_id, subscriber_kind, subscriber_id, ordered_subject, (next_attempt_at IS NULL), ordered_sequence, id
  ) WHERE ordered_subject IS NOT NULL;

  -- Subjects of which a delivery was added or has ended since the last claim. Insert-only, so that writers never wait for
  -- each other.
  CREATE TABLE @delivery_turns (
    business_id bigint NOT NULL,
    position bigint GENERATED ALWAYS AS IDENTITY,
    subscriber_kind text COLLATE "C" NOT NULL,
    subscriber_id bigint NOT NULL,
    ordered_subject text COLLATE "C" NOT NULL,
    PRIMARY KEY (business_id, position)
  ) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
  CREATE INDEX delivery_turns_in_order ON @delivery_turns (position);

  CREATE VIEW @deliveries AS SELECT * FROM @delivery_queue UNION ALL SELECT * FROM @delivery_log;
  CREATE VIEW @attempts AS
    SELECT business_id, id AS delivery_id, (attempt ->> 0)::integer AS number, (attempt ->> 1)::bigint AS started_at,
      (attempt ->> 2)::bigint AS duration_ms, (attempt ->> 3)::integer AS response_code, attempt ->> 4 AS error,
      attempt ->> 5 AS response_body
    FROM @deliveries CROSS JOIN LATERAL json_array_elements(('[' || trail || ']')::json) AS attempt;
`;
