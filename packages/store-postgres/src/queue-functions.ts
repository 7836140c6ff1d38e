import { UNFINISHED } from "./delivery-rows.js";
import { IN_INDEX_ORDER } from "./planner-settings.js";

const OF_QUEUE = `deliveries.business_id = queue.business_id AND deliveries.subscriber_kind = queue.subscriber_kind
          AND deliveries.subscriber_id = queue.subscriber_id AND deliveries.${UNFINISHED}`;

/** Later than every moment. */
const LATEST = 2 ** 53;

/**
 * Whoever changes deliveries of a subscriber says so in `queue_changes` in the same transaction. Whoever wants to know
 * what is due holds one lock, takes those rows away that it sees, and then looks the first delivery of each such
 * subscriber up. It sees what the transactions did whose rows it took, since it looks later; what it does not see yet
 * brings its own row along. So no delivery is forgotten, whoever comes when, and nobody who writes waits for it.
 */
export const QUEUE_FUNCTIONS = `
  -- Writes down when the first delivery of each of these subscribers falls due. Those under a lease are as many as may be
  -- under way, and matter only where they stand before the first that has none: all behind it fall due later. Nobody else
  -- changes the queues meanwhile. Settings are those of who calls it.
  CREATE FUNCTION @keep_queues(queues @delivery_queues[]) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    found @delivery_queues[];
  BEGIN
    found := ARRAY(
      SELECT ROW(queue.business_id, queue.subscriber_kind, queue.subscriber_id, least(waiting.due_at, (
        SELECT min(leased.due_at) FROM (
          SELECT greatest(next_attempt_at, lease_until) AS due_at FROM @deliveries AS deliveries
          WHERE ${OF_QUEUE} AND lease_until IS NOT NULL AND next_attempt_at <= coalesce(waiting.due_at, ${LATEST})
          ORDER BY next_attempt_at, id -- along the index of those alone that are not finished
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

  -- Makes the queues right, and the caller the only one at them until its transaction ends. What a loss of power undoes
  -- of that is done once more: nobody waits for the disk.
  CREATE FUNCTION @refresh_queues() RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    changed @delivery_queues[];
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM pg_advisory_xact_lock(hashtextextended('@delivery_queues', 0));
    WITH taken AS (DELETE FROM @queue_changes RETURNING business_id, subscriber_kind, subscriber_id)
    SELECT array_agg(DISTINCT ROW(business_id, subscriber_kind, subscriber_id, NULL)::@delivery_queues) INTO changed FROM taken;
    IF changed IS NOT NULL THEN PERFORM @keep_queues(changed); END IF;
  END $$;

  CREATE FUNCTION @next_due_at() RETURNS bigint LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  BEGIN
    PERFORM @refresh_queues();
    RETURN (SELECT due_at FROM @delivery_queues ORDER BY due_at LIMIT 1);
  END $$;
`;
