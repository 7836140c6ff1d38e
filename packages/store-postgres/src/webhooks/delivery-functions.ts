import { DELIVERY_BYTES } from "@budgetkit/store-kit";
import { ALONG_INDEXES, IN_INDEX_ORDER } from "../engine/planner-settings.js";
import { bytesOfTrail, countingDeliveries } from "../limits/storage-functions.js";
import { STORED_COLUMNS, storing } from "./delivery-rows.js";

const OF_SUBSCRIBER = "business_id = business AND subscriber_kind = kind AND subscriber_id = subscriber";

/** Word for word the condition of the index. */
const UNDELIVERED = "status IN ('failed', 'cancelled') AND event_id IS NOT NULL";

/** The columns of a delivery that is moved; those of `changes` get other values. */
function moved(changes: Readonly<Record<string, string>>): string {
  return STORED_COLUMNS.map((column) => (column in changes ? `${changes[column]} AS ${column}` : column)).join(", ");
}

const RELEASED = { lease_id: "NULL::text", lease_until: "NULL::bigint", updated_at: "now" };

const CANCELLED = moved({ ...RELEASED, status: "'cancelled'", next_attempt_at: "NULL::bigint" });

const RESTARTED = moved({
  ...RELEASED,
  status: "'pending'",
  attempts_in_round: "0",
  next_attempt_at: "CASE WHEN ordered_subject IS NULL THEN now + @clock_shift(clock, now) END",
  deadline_at: "deadline",
});

/**
 * A change of many deliveries of one subscriber waits for locked rows, since it must leave none out. It locks them in one
 * order. No transaction that holds such a row waits for another or for a business, so that none deadlocks.
 */
export const DELIVERY_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @cancel_deliveries(business bigint, kind text, subscriber bigint, now bigint, how_many integer)
  RETURNS integer LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  DECLARE
    waiting record;
    cancelled integer := 0;
  BEGIN
    FOR waiting IN
      SELECT id FROM @delivery_queue WHERE ${OF_SUBSCRIBER}
      ORDER BY next_attempt_at, id LIMIT how_many FOR UPDATE
    LOOP
      WITH cancelled AS (
        DELETE FROM @delivery_queue WHERE business_id = business AND id = waiting.id RETURNING ${CANCELLED}
      ), ${storing("cancelled")};
      cancelled := cancelled + 1;
    END LOOP;
    RETURN cancelled;
  END $$;

  -- Moves a delivery of the log to the queue.
  CREATE OR REPLACE FUNCTION @restart(business bigint, delivery bigint, now bigint, deadline bigint, clock text)
  RETURNS void LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  BEGIN
    WITH restarted AS (
      DELETE FROM @delivery_log WHERE business_id = business AND id = delivery RETURNING ${RESTARTED}
    ), ${storing("restarted")};
  END $$;

  CREATE OR REPLACE FUNCTION @restart_delivery(business bigint, delivery bigint, now bigint, deadline bigint, clock text)
  RETURNS boolean LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  BEGIN
    PERFORM FROM @delivery_log WHERE business_id = business AND id = delivery FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM @restart(business, delivery, now, deadline, clock);
    RETURN true;
  END $$;

  -- Returns the keyset positions of the redelivered deliveries, in their order.
  CREATE OR REPLACE FUNCTION @restart_undelivered(
    business bigint, kind text, subscriber bigint, after_moment bigint, after_id bigint,
    now bigint, deadline bigint, how_many integer, clock text
  ) RETURNS json LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  DECLARE
    undelivered record;
    places json[] := '{}';
  BEGIN
    FOR undelivered IN
      SELECT created_at, id FROM @delivery_log
      WHERE ${OF_SUBSCRIBER} AND ${UNDELIVERED} AND (created_at, id) > (after_moment, after_id)
      ORDER BY created_at, id LIMIT how_many FOR UPDATE
    LOOP
      PERFORM @restart(business, undelivered.id, now, deadline, clock);
      places := places || json_build_array(undelivered.created_at, undelivered.id);
    END LOOP;
    RETURN array_to_json(places);
  END $$;

  -- One at a time: two would lock the bodies that deliveries share in different orders.
  CREATE OR REPLACE FUNCTION @prune_deliveries(before bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  DECLARE
    old record;
    freed bigint;
    pruned integer := 0;
    businesses bigint[] := '{}';
    mores bigint[] := '{}';
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('@prune_deliveries', 0));
    FOR old IN
      WITH old_ones AS MATERIALIZED (
        SELECT business_id, id FROM @delivery_log WHERE updated_at < before
        ORDER BY updated_at LIMIT how_many FOR UPDATE SKIP LOCKED
      ), removed AS MATERIALIZED (
        DELETE FROM @delivery_log AS stored USING old_ones
        WHERE stored.business_id = old_ones.business_id AND stored.id = old_ones.id
        RETURNING stored.business_id, coalesce(stored.body_id, stored.id) AS body,
          ${DELIVERY_BYTES} + ${bytesOfTrail("stored.trail")} AS bytes
      )
      SELECT business_id, body, count(*) AS sharers, sum(bytes) AS bytes FROM removed GROUP BY business_id, body
    LOOP
      DELETE FROM @delivery_bodies WHERE business_id = old.business_id AND id = old.body AND deliveries <= old.sharers
      RETURNING octet_length(concat(head, tail, origin)) INTO freed;
      IF NOT FOUND THEN
        UPDATE @delivery_bodies SET deliveries = deliveries - old.sharers
        WHERE business_id = old.business_id AND id = old.body;
      END IF;
      pruned := pruned + old.sharers;
      businesses := businesses || old.business_id;
      mores := mores || -(old.bytes + coalesce(freed, 0))::bigint;
    END LOOP;
    ${countingDeliveries("unnest(businesses, mores) AS removed (business_id, more)")};
    RETURN pruned;
  END $$;
`;
