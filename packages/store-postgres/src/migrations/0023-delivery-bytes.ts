const DELIVERIES = "(SELECT * FROM @delivery_queue UNION ALL SELECT * FROM @delivery_log) AS deliveries";

/**
 * The deliveries of an event share its body, and deliveries count for the storage quota. Bodies of earlier deliveries stay
 * as they are, one for each.
 */
export const DELIVERY_BYTES = `
  DROP VIEW @attempts;
  DROP VIEW @deliveries;
  ALTER TABLE @delivery_queue ADD COLUMN body_id bigint; -- null = the id of the delivery
  ALTER TABLE @delivery_log ADD COLUMN body_id bigint;

  -- A body is head, id of the delivery and tail. Its id is that of the first of its deliveries.
  ALTER TABLE @delivery_bodies RENAME COLUMN delivery_id TO id;
  ALTER TABLE @delivery_bodies RENAME COLUMN body TO head;
  ALTER TABLE @delivery_bodies
    ADD COLUMN tail text, -- null = the head is the whole body
    ADD COLUMN deliveries integer NOT NULL DEFAULT 1; -- that share it; without any it is removed

  LOCK TABLE @storage_use IN SHARE ROW EXCLUSIVE MODE;
  ALTER TABLE @storage_use ADD COLUMN delivery_bytes bigint NOT NULL DEFAULT 0;
  INSERT INTO @storage_use (business_id, delivery_bytes)
  SELECT business_id, sum(bytes) FROM (
    SELECT business_id, 512 + greatest(0, octet_length(trail) - 256) AS bytes FROM ${DELIVERIES}
    UNION ALL
    SELECT business_id, octet_length(concat(head, origin)) FROM @delivery_bodies
  ) AS stored GROUP BY business_id
  ON CONFLICT (business_id) DO UPDATE SET delivery_bytes = excluded.delivery_bytes;

  -- What the dispatcher adds and removes without the lock of the business: see countingDeliveries.
  CREATE TABLE @delivery_use (
    business_id bigint PRIMARY KEY,
    bytes bigint NOT NULL
  ) WITH (fillfactor = 50); -- room for HOT updates

  CREATE VIEW @deliveries AS SELECT * FROM @delivery_queue UNION ALL SELECT * FROM @delivery_log;
  CREATE VIEW @attempts AS
    SELECT business_id, id AS delivery_id, (attempt ->> 0)::integer AS number, (attempt ->> 1)::bigint AS started_at,
      (attempt ->> 2)::bigint AS duration_ms, (attempt ->> 3)::integer AS response_code, attempt ->> 4 AS error,
      attempt ->> 5 AS response_body
    FROM @deliveries CROSS JOIN LATERAL json_array_elements(('[' || trail || ']')::json) AS attempt;
`;
