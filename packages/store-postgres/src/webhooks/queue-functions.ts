import { IN_INDEX_ORDER } from "../engine/planner-settings.js";
import { UNFINISHED } from "./delivery-rows.js";

const OF_QUEUE = `deliveries.business_id = queue.business_id AND deliveries.subscriber_kind = queue.subscriber_kind
          AND deliveries.subscriber_id = queue.subscriber_id AND deliveries.${UNFINISHED}`;

/** Later than every time. */
const LATEST = 2 ** 53;

/**
 * A transaction that changes deliveries of a subscriber inserts a row into `queue_changes`. A claim takes one lock,
 * deletes the rows that it sees, and then looks up the first delivery of each of their subscribers. The look-up comes
 * after the deletion, so that it sees the changes of those rows; a change that it does not see yet still has its row. So
 * no delivery is missed, and no writer waits for a claim.
 */
export const QUEUE_FUNCTIONS = `
  -- Stores when the first delivery of each subscriber is due. Leased deliveries are at most as many as concurrent calls,
  -- and count only before the first delivery without a lease: later ones are due later. The caller holds the lock of the
  -- queues, and its settings apply.
  CREATE OR REPLACE FUNCTION @keep_queues(queues @delivery_queues[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    found @delivery_queues[];
  BEGIN
    found := ARRAY(
      SELECT ROW(queue.business_id, queue.subscriber_kind, queue.subscriber_id, least(waiting.due_at, (
        SELECT min(leased.due_at) FROM (
          SELECT greatest(next_attempt_at, lease_until) AS due_at FROM @deliveries AS deliveries
          WHERE ${OF_QUEUE} AND lease_until IS NOT NULL AND next_attempt_at <= coalesce(waiting.due_at, ${LATEST})
          ORDER BY next_attempt_at, id -- along deliveries_unfinished
        ) AS leased
      )))::@delivery_queues
      FROM unnest(queues) AS queue LEFT JOIN LATERAL (
        SELECT next_attempt_at AS due_at FROM @deliveries AS deliveries
        WHERE ${OF_QUEUE} AND lease_until IS NULL AND next_attempt_at IS NOT NULL
        ORDER BY next_attempt_at, id LIMIT 1
      ) AS waiting ON true
    );
    DELETE FROM @delivery_queues WHERE ctid = ANY (ARRAY(
      SELECT stored.at FROM unnest(found) AS queue CROSS JOIN LATERAL (
        SELECT queues.ctid AS at FROM @delivery_queues AS queues
        WHERE queues.business_id = queue.business_id AND queues.subscriber_kind = queue.subscriber_kind
          AND queues.subscriber_id = queue.subscriber_id LIMIT 1
      ) AS stored
      WHERE queue.due_at IS NULL
    ));
    INSERT INTO @delivery_queues AS stored SELECT queue.* FROM unnest(found) AS queue WHERE queue.due_at IS NOT NULL
    ON CONFLICT (business_id, subscriber_kind, subscriber_id) DO UPDATE SET due_at = excluded.due_at
    WHERE stored.due_at <> excluded.due_at;
  END $$;

  -- Brings the queues up to date and locks them until the transaction ends. Does not wait for the disk: what a loss of
  -- power undoes is done again.
  CREATE OR REPLACE FUNCTION @refresh_queues() RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    changed @delivery_queues[];
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM pg_advisory_xact_lock(hashtextextended('@delivery_queues', 0));
    WITH taken AS (DELETE FROM @queue_changes RETURNING business_id, subscriber_kind, subscriber_id)
    SELECT array_agg(DISTINCT ROW(business_id, subscriber_kind, subscriber_id, NULL)::@delivery_queues) INTO changed
    FROM taken;
    IF changed IS NOT NULL THEN PERFORM @keep_queues(changed); END IF;
  END $$;

  CREATE OR REPLACE FUNCTION @next_due_at() RETURNS bigint LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  BEGIN
    PERFORM @refresh_queues();
    RETURN (SELECT due_at FROM @delivery_queues ORDER BY due_at LIMIT 1);
  END $$;
`;
