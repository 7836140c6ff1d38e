import { UNDELIVERED, UNFINISHED } from "./delivery-rows.js";
import { ALONG_INDEXES, IN_INDEX_ORDER } from "./planner-settings.js";

const OF_SUBSCRIBER = "business_id = business AND subscriber_kind = kind AND subscriber_id = subscriber";

const CHANGED = `INSERT INTO @queue_changes (business_id, subscriber_kind, subscriber_id)
    VALUES (business, kind, subscriber);`;

const restarting = (now: string, deadline: string, clock: string) => `status = 'pending', attempts_in_round = 0,
      next_attempt_at = ${now} + @clock_shift(${clock}, ${now}), deadline_at = ${deadline},
      lease_id = NULL, lease_until = NULL, updated_at = ${now}`;

/**
 * What takes many deliveries of one subscriber waits for those that are being changed, since it is to leave none out: it
 * does so in one order and in a transaction of its own, and nobody who holds such a delivery waits for another one.
 */
export const DELIVERY_FUNCTIONS = `
  CREATE FUNCTION @cancel_deliveries(business bigint, kind text, subscriber bigint, now bigint, how_many integer)
  RETURNS integer LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  DECLARE
    cancelled integer;
  BEGIN
    WITH waiting AS (
      SELECT business_id, id FROM @deliveries WHERE ${OF_SUBSCRIBER} AND ${UNFINISHED}
      ORDER BY next_attempt_at, id LIMIT how_many FOR NO KEY UPDATE
    )
    UPDATE @deliveries AS deliveries
    SET status = 'cancelled', next_attempt_at = NULL, lease_id = NULL, lease_until = NULL, updated_at = now
    FROM waiting WHERE deliveries.business_id = waiting.business_id AND deliveries.id = waiting.id;
    GET DIAGNOSTICS cancelled = ROW_COUNT;
    IF cancelled > 0 THEN ${CHANGED} END IF;
    RETURN cancelled;
  END $$;

  CREATE FUNCTION @restart_delivery(argument jsonb) RETURNS jsonb LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    business bigint := (argument ->> 'business_id')::bigint;
    delivery bigint := (argument ->> 'id')::bigint;
    given_at bigint := (argument ->> 'now')::bigint;
    kind text;
    subscriber bigint;
  BEGIN
    PERFORM FROM @deliveries WHERE business_id = business AND id = delivery AND finished_at IS NOT NULL
    FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN 'false'; END IF;
    UPDATE @deliveries
    SET ${restarting("given_at", "(argument ->> 'deadlineAt')::bigint", "(argument ->> 'clock')")}
    WHERE business_id = business AND id = delivery
    RETURNING subscriber_kind, subscriber_id INTO kind, subscriber;
    ${CHANGED}
    RETURN 'true';
  END $$;

  -- Gives the places of what it began anew, in their order.
  CREATE FUNCTION @restart_undelivered(
    business bigint, kind text, subscriber bigint, after_moment bigint, after_id bigint,
    now bigint, deadline bigint, how_many integer, clock text
  ) RETURNS json LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  DECLARE
    places json;
  BEGIN
    WITH undelivered AS (
      SELECT business_id, id FROM @deliveries
      WHERE ${OF_SUBSCRIBER} AND ${UNDELIVERED} AND (created_at, id) > (after_moment, after_id)
      ORDER BY created_at, id LIMIT how_many FOR NO KEY UPDATE
    ), restarted AS (
      UPDATE @deliveries AS deliveries SET ${restarting("now", "deadline", "clock")}
      FROM undelivered WHERE deliveries.business_id = undelivered.business_id AND deliveries.id = undelivered.id
      RETURNING deliveries.created_at, deliveries.id
    )
    SELECT json_agg(json_build_array(created_at, id) ORDER BY created_at, id) INTO places FROM restarted;
    IF places IS NULL THEN RETURN '[]'; END IF;
    ${CHANGED}
    RETURN places;
  END $$;

  CREATE FUNCTION @prune_deliveries(before bigint, how_many integer) RETURNS integer
  LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  DECLARE
    pruned_deliveries integer;
    pruned_events integer;
  BEGIN
    WITH old AS (
      SELECT business_id, id FROM @deliveries WHERE finished_at < before
      ORDER BY finished_at LIMIT how_many FOR UPDATE SKIP LOCKED
    ), without_attempts AS (
      DELETE FROM @attempts AS attempts USING old
      WHERE attempts.business_id = old.business_id AND attempts.delivery_id = old.id
    ), without_bodies AS (
      DELETE FROM @delivery_bodies AS bodies USING old
      WHERE bodies.business_id = old.business_id AND bodies.delivery_id = old.id
    )
    DELETE FROM @deliveries AS deliveries USING old
    WHERE deliveries.business_id = old.business_id AND deliveries.id = old.id;
    GET DIAGNOSTICS pruned_deliveries = ROW_COUNT;

    WITH old AS (
      SELECT business_id, sequence FROM @events AS events
      WHERE occurred_at < before AND NOT EXISTS (
        SELECT FROM @undispatched_events AS waiting
        WHERE waiting.business_id = events.business_id AND waiting.sequence = events.sequence
      )
      ORDER BY occurred_at LIMIT how_many FOR UPDATE OF events SKIP LOCKED
    )
    DELETE FROM @events AS events USING old
    WHERE events.business_id = old.business_id AND events.sequence = old.sequence;
    GET DIAGNOSTICS pruned_events = ROW_COUNT;
    RETURN pruned_deliveries + pruned_events;
  END $$;
`;
