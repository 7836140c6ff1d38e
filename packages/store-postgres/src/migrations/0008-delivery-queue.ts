/**
 * A queue of the deliveries that wait, and a log of those that are finished, in place of one table. A delivery moves
 * between them, its attempts with it. Bodies stay in a table of their own. The views show both tables as before.
 *
 * The queue is small and each of its rows is rewritten several times, so that it has few indexes, none of them on what a
 * claim changes. A row of the log never changes.
 */
const COLUMNS = `
    business_id bigint NOT NULL,
    id bigint NOT NULL,
    subscriber_kind text COLLATE "C" NOT NULL,
    subscriber_id bigint NOT NULL,
    event_id text COLLATE "C",
    event_type text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    attempts integer NOT NULL,
    attempts_in_round integer NOT NULL,
    next_attempt_at bigint,
    deadline_at bigint NOT NULL,
    lease_id text COLLATE "C",
    lease_until bigint,
    response_code integer,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    trail text -- the attempts, each as a list in JSON, with commas between them; null = none`;

/** Builds the row of a delivery from the former tables. */
const FORMER = `
  SELECT business_id, id, subscriber_kind, subscriber_id, event_id, event_type, status, attempts, attempts_in_round,
    next_attempt_at, deadline_at, lease_id, lease_until, response_code, created_at, updated_at, (
      SELECT string_agg(
        json_build_array(number, started_at, duration_ms, made.response_code, error, response_body)::text, ','
        ORDER BY number
      )
      FROM @attempts AS made
      WHERE made.business_id = deliveries.business_id AND made.delivery_id = deliveries.id
    )
  FROM @deliveries AS deliveries WHERE finished_at`;

export const DELIVERY_QUEUE = `
  LOCK TABLE @deliveries, @attempts;
  CREATE TABLE @delivery_queue (${COLUMNS}
  ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
  CREATE TABLE @delivery_log (${COLUMNS}
  );
  INSERT INTO @delivery_queue ${FORMER} IS NULL;
  INSERT INTO @delivery_log ${FORMER} IS NOT NULL;

  DROP FUNCTION IF EXISTS @keep_queues(@delivery_queues[]);
  DROP TABLE @deliveries, @attempts, @delivery_queues, @queue_changes;

  CREATE INDEX delivery_queue_by_due ON @delivery_queue (next_attempt_at, id);
  CREATE INDEX delivery_queue_of_subscriber
    ON @delivery_queue (business_id, subscriber_kind, subscriber_id, next_attempt_at, id);
  ALTER TABLE @delivery_queue ADD PRIMARY KEY (business_id, id);

  -- With status and type as the last columns, every count needs an index only.
  CREATE INDEX delivery_log_by_creation ON @delivery_log (business_id, created_at, id, status, event_type);
  CREATE INDEX delivery_log_of_subscriber
    ON @delivery_log (business_id, subscriber_kind, subscriber_id, created_at, id, status, event_type);
  CREATE INDEX delivery_log_by_age ON @delivery_log (updated_at);
  -- For redelivery: deliveries that did not reach the receiver, without test deliveries.
  CREATE INDEX delivery_log_undelivered
    ON @delivery_log (business_id, subscriber_kind, subscriber_id, created_at, id)
    WHERE status IN ('failed', 'cancelled') AND event_id IS NOT NULL;
  ALTER TABLE @delivery_log ADD PRIMARY KEY (business_id, id);

  CREATE VIEW @deliveries AS SELECT * FROM @delivery_queue UNION ALL SELECT * FROM @delivery_log;
  CREATE VIEW @attempts AS
    SELECT business_id, id AS delivery_id, (attempt ->> 0)::integer AS number, (attempt ->> 1)::bigint AS started_at,
      (attempt ->> 2)::bigint AS duration_ms, (attempt ->> 3)::integer AS response_code, attempt ->> 4 AS error,
      attempt ->> 5 AS response_body
    FROM @deliveries CROSS JOIN LATERAL json_array_elements(('[' || trail || ']')::json) AS attempt;
`;
