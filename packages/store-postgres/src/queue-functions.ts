import { UNFINISHED } from "./delivery-rows.js";
import { IN_INDEX_ORDER } from "./planner-settings.js";

/**
 * Whoever changes deliveries of a subscriber says so in `queue_changes` in the same transaction. Whoever wants to know
 * what is due holds one lock, takes those rows away that it sees, and then looks the first delivery of each such
 * subscriber up. It sees what the transactions did whose rows it took, since it looks later; what it does not see yet
 * brings its own row along. So no delivery is forgotten, whoever comes when, and nobody who writes waits for it.
 */
export const QUEUE_FUNCTIONS = `
  -- Writes down when the first delivery of a subscriber falls due. Those under a lease stand before the ones that wait,
  -- and are as many as may be under way: the first without a lease ends the search, since all behind it fall due later.
  -- Settings are those of who calls it.
  CREATE FUNCTION @keep_queue(business bigint, kind text, subscriber bigint) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    delivery record;
    first bigint;
  BEGIN
    FOR delivery IN
      SELECT next_attempt_at, lease_until FROM @deliveries
      WHERE business_id = business AND subscriber_kind = kind AND subscriber_id = subscriber AND ${UNFINISHED}
        AND next_attempt_at IS NOT NULL
      ORDER BY next_attempt_at, id
    LOOP
      first := least(first, greatest(delivery.next_attempt_at, delivery.lease_until));
      EXIT WHEN delivery.lease_until IS NULL;
    END LOOP;
    IF first IS NULL THEN
      DELETE FROM @delivery_queues
      WHERE business_id = business AND subscriber_kind = kind AND subscriber_id = subscriber;
    ELSE
      INSERT INTO @delivery_queues AS stored (business_id, subscriber_kind, subscriber_id, due_at)
      VALUES (business, kind, subscriber, first)
      ON CONFLICT (business_id, subscriber_kind, subscriber_id) DO UPDATE SET due_at = excluded.due_at
      WHERE stored.due_at <> excluded.due_at;
    END IF;
  END $$;

  -- Makes the queues right, and the caller the only one at them until its transaction ends. What a loss of power undoes
  -- of that, and of a claim, is done once more: nobody waits for the disk.
  CREATE FUNCTION @refresh_queues() RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    changed record;
  BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    PERFORM pg_advisory_xact_lock(hashtextextended('@delivery_queues', 0));
    FOR changed IN
      WITH taken AS (DELETE FROM @queue_changes RETURNING business_id, subscriber_kind, subscriber_id)
      SELECT DISTINCT business_id, subscriber_kind, subscriber_id FROM taken
    LOOP
      PERFORM @keep_queue(changed.business_id, changed.subscriber_kind, changed.subscriber_id);
    END LOOP;
  END $$;

  CREATE FUNCTION @next_due_at() RETURNS bigint LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  BEGIN
    PERFORM @refresh_queues();
    RETURN (SELECT due_at FROM @delivery_queues ORDER BY due_at LIMIT 1);
  END $$;
`;
