import { bodyOf, DELIVERY_COLUMNS, UNFINISHED } from "./delivery-rows.js";
import { ALONG_INDEXES, IN_INDEX_ORDER } from "./planner-settings.js";

const COLUMNS = DELIVERY_COLUMNS.join(", ");

/** Moments that decide about deliveries are kept by the clock that decides. */
const SHIFTED_COLUMNS = DELIVERY_COLUMNS.map((column) =>
  column === "next_attempt_at" || column === "lease_until"
    ? `${column} + @clock_shift(clock, updated_at) AS ${column}`
    : column,
).join(", ");

const WHOLE_DELIVERY = `${DELIVERY_COLUMNS.map((column) => `deliveries.${column}`).join(", ")}, ${bodyOf("deliveries")}`;

/** How a claim names subscribers. */
const subscriberName = (table: string) =>
  `concat_ws(' ', ${table}.business_id, ${table}.subscriber_kind, ${table}.subscriber_id)`;

/**
 * Claims come one after the other, and neither they nor settlements and fan-outs wait for a row that somebody is at work
 * on: what is being changed belongs to somebody else. So none of them is ever part of a deadlock, and a host's transaction
 * that stays open holds none of them up.
 */
export const DISPATCH_FUNCTIONS = `
  -- What to add to a moment of the caller's, who takes it to be \`now\`, for it to be one of the clock that decides.
  CREATE FUNCTION @clock_shift(clock text, now bigint) RETURNS bigint LANGUAGE sql AS $$
    SELECT CASE clock WHEN 'database'
      THEN floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - now ELSE 0 END
  $$;

  -- What waits for its fan-out, of each business no more than its share. A business that has more is left out where the
  -- list is read on. It changes nothing, and all of its statements see one moment.
  CREATE FUNCTION @find_undispatched(how_many integer, per_business integer) RETURNS json
  LANGUAGE plpgsql STABLE ${IN_INDEX_ORDER} AS $$
  DECLARE
    without bigint[] := '{}';
    page @undispatched_events[];
    cut bigint[];
    kept @undispatched_events[] := '{}';
  BEGIN
    LOOP
      page := ARRAY(
        SELECT event FROM @undispatched_events AS event WHERE event.business_id <> ALL (without)
        ORDER BY event.sequence LIMIT how_many - cardinality(kept)
      );
      cut := ARRAY(SELECT business_id FROM unnest(page) GROUP BY business_id HAVING count(*) > per_business);
      EXIT WHEN cardinality(cut) = 0;
      kept := kept || ARRAY(
        SELECT placed.event FROM (
          SELECT event, row_number() OVER (PARTITION BY event.business_id ORDER BY event.sequence) AS place
          FROM unnest(page) AS event WHERE event.business_id = ANY (cut)
        ) AS placed
        WHERE placed.place <= per_business
      );
      without := without || cut;
    END LOOP;
    RETURN coalesce((
      SELECT json_agg(json_build_array(waiting.sequence, (
        SELECT document FROM @events AS events
        WHERE events.business_id = waiting.business_id AND events.sequence = waiting.sequence
      )) ORDER BY waiting.sequence)
      FROM unnest(kept || page) AS waiting
    ), '[]');
  END $$;

  CREATE FUNCTION @count_backlog(now bigint, at_most integer, clock text) RETURNS json
  LANGUAGE plpgsql STABLE ${IN_INDEX_ORDER} AS $$
  DECLARE
    moment bigint := now + @clock_shift(clock, now);
  BEGIN
    RETURN json_build_array(
      (SELECT count(*) FROM (SELECT FROM @undispatched_events LIMIT at_most) AS waiting),
      (SELECT count(*) FROM (
        SELECT FROM @deliveries
        WHERE ${UNFINISHED} AND next_attempt_at <= moment AND (lease_until IS NULL OR lease_until <= moment)
        LIMIT at_most
      ) AS due)
    );
  END $$;

  CREATE FUNCTION @add_deliveries(deliveries jsonb, clock text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO @deliveries (${COLUMNS})
    SELECT ${SHIFTED_COLUMNS} FROM jsonb_populate_recordset(NULL::@deliveries, deliveries);
    INSERT INTO @delivery_bodies (business_id, delivery_id, body, origin)
    SELECT (value ->> 'business_id')::bigint, (value ->> 'id')::bigint, value ->> 'body', value ->> 'origin'
    FROM jsonb_array_elements(deliveries);
    INSERT INTO @queue_changes (business_id, subscriber_kind, subscriber_id)
    SELECT DISTINCT business_id, subscriber_kind, subscriber_id
    FROM jsonb_populate_recordset(NULL::@queue_changes, deliveries);
  END $$;

  CREATE FUNCTION @insert_delivery(argument jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM @add_deliveries(argument -> 'deliveries', argument ->> 'clock');
    RETURN 'null';
  END $$;

  -- An event that somebody else is about to fan out is taken; should they not come to it, it still waits.
  CREATE FUNCTION @fan_out(argument jsonb) RETURNS jsonb LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    event @undispatched_events := jsonb_populate_record(NULL::@undispatched_events, argument -> 'event');
  BEGIN
    PERFORM FROM @undispatched_events
    WHERE business_id = event.business_id AND sequence = event.sequence FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN '"taken"'; END IF;
    DELETE FROM @undispatched_events WHERE business_id = event.business_id AND sequence = event.sequence;
    PERFORM @add_deliveries(argument -> 'deliveries', argument ->> 'clock');
    RETURN '"written"';
  END $$;

  -- Of so many deliveries none belongs to a subscriber beyond the first so many queues: those are read, a share of each,
  -- and nothing of anybody's backlog. The rooms say what is left of a share after what is under way.
  CREATE FUNCTION @claim_due(claim jsonb) RETURNS json LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  DECLARE
    shift bigint := @clock_shift(claim ->> 'clock', (claim ->> 'now')::bigint);
    moment bigint := (claim ->> 'now')::bigint + shift;
    how_many integer := (claim ->> 'limit')::integer;
    per_business integer := (claim ->> 'perBusiness')::integer;
    per_subscriber integer := (claim ->> 'perSubscriber')::integer;
    rooms_of_businesses jsonb := claim -> 'roomsOfBusinesses';
    rooms_of_subscribers jsonb := claim -> 'roomsOfSubscribers';
    without bigint[];
    page @delivery_queues[];
    cut bigint[];
    chosen @delivery_queues[] := '{}';
    queue @delivery_queues;
    due record;
    delivery json;
    leased json[] := '{}';
  BEGIN
    PERFORM @refresh_queues();
    without := ARRAY(SELECT key::bigint FROM jsonb_each_text(rooms_of_businesses) WHERE value::integer <= 0);
    LOOP
      page := ARRAY(
        SELECT stored FROM @delivery_queues AS stored
        WHERE stored.due_at <= moment AND stored.business_id <> ALL (without) AND coalesce((rooms_of_subscribers ->> ${subscriberName("stored")})::integer, per_subscriber) > 0
        ORDER BY stored.due_at LIMIT how_many - cardinality(chosen)
      );
      cut := ARRAY(
        SELECT business_id FROM unnest(page) GROUP BY business_id
        HAVING count(*) > coalesce((rooms_of_businesses ->> business_id::text)::integer, per_business)
      );
      EXIT WHEN cardinality(cut) = 0;
      chosen := chosen || ARRAY(
        SELECT placed.stored FROM (
          SELECT stored, row_number() OVER (PARTITION BY stored.business_id ORDER BY stored.due_at) AS place
          FROM unnest(page) AS stored WHERE stored.business_id = ANY (cut)
        ) AS placed
        WHERE placed.place <= coalesce((rooms_of_businesses ->> (placed.stored).business_id::text)::integer, per_business)
      );
      without := without || cut;
    END LOOP;
    chosen := chosen || page;

    FOR due IN
      WITH waiting AS (
        SELECT stored.business_id, delivery.id, delivery.due_at
        FROM unnest(chosen) AS stored CROSS JOIN LATERAL (
          SELECT deliveries.id, greatest(deliveries.next_attempt_at, deliveries.lease_until) AS due_at
          FROM @deliveries AS deliveries
          WHERE deliveries.business_id = stored.business_id AND deliveries.subscriber_kind = stored.subscriber_kind
            AND deliveries.subscriber_id = stored.subscriber_id AND deliveries.${UNFINISHED}
            AND deliveries.next_attempt_at <= moment
            AND (deliveries.lease_until IS NULL OR deliveries.lease_until <= moment)
          ORDER BY deliveries.next_attempt_at, deliveries.id
          LIMIT least(how_many, coalesce((rooms_of_subscribers ->> ${subscriberName("stored")})::integer, per_subscriber))
        ) AS delivery
      ), placed AS (
        SELECT *, row_number() OVER (PARTITION BY business_id ORDER BY due_at, id) AS place FROM waiting
      )
      SELECT business_id, id FROM placed
      WHERE place <= coalesce((rooms_of_businesses ->> business_id::text)::integer, per_business)
      ORDER BY due_at, id LIMIT how_many
    LOOP
      PERFORM FROM @deliveries AS deliveries
      WHERE deliveries.business_id = due.business_id AND deliveries.id = due.id AND deliveries.${UNFINISHED}
        AND deliveries.next_attempt_at <= moment
        AND (deliveries.lease_until IS NULL OR deliveries.lease_until <= moment)
      FOR NO KEY UPDATE SKIP LOCKED;
      CONTINUE WHEN NOT FOUND;
      UPDATE @deliveries AS deliveries SET
        attempts = deliveries.attempts + 1, attempts_in_round = deliveries.attempts_in_round + 1,
        lease_id = claim ->> 'leaseId', lease_until = (claim ->> 'leaseUntil')::bigint + shift,
        updated_at = (claim ->> 'now')::bigint
      WHERE deliveries.business_id = due.business_id AND deliveries.id = due.id
      RETURNING json_build_array(${WHOLE_DELIVERY}) INTO delivery;
      leased := leased || delivery;
    END LOOP;

    FOREACH queue IN ARRAY chosen LOOP
      PERFORM @keep_queue(queue.business_id, queue.subscriber_kind, queue.subscriber_id);
    END LOOP;
    RETURN array_to_json(leased);
  END $$;

  -- A delivery that somebody is at work on is being cancelled or taken over: its lease is lost.
  CREATE FUNCTION @settle_delivery(argument jsonb) RETURNS jsonb LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    business bigint := (argument ->> 'business_id')::bigint;
    delivery bigint := (argument ->> 'id')::bigint;
    given_at bigint := (argument ->> 'now')::bigint;
    taken_back integer := (argument ->> 'takenBack')::integer;
    attempt @attempts;
    settled record;
  BEGIN
    PERFORM FROM @deliveries WHERE business_id = business AND id = delivery AND lease_id = argument ->> 'leaseId'
    FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN RETURN '"lost"'; END IF;
    UPDATE @deliveries SET
      status = argument ->> 'status',
      next_attempt_at = (argument ->> 'nextAttemptAt')::bigint + @clock_shift(argument ->> 'clock', given_at),
      lease_id = NULL, lease_until = NULL, updated_at = given_at,
      attempts = attempts - taken_back, attempts_in_round = attempts_in_round - taken_back,
      response_code = CASE WHEN argument -> 'attempt' = 'null' THEN response_code
        ELSE (argument #>> '{attempt,response_code}')::integer END
    WHERE business_id = business AND id = delivery
    RETURNING subscriber_kind, subscriber_id INTO settled;
    IF argument -> 'attempt' <> 'null' THEN
      attempt := jsonb_populate_record(NULL::@attempts, argument -> 'attempt');
      INSERT INTO @attempts SELECT attempt.*;
    END IF;
    INSERT INTO @queue_changes (business_id, subscriber_kind, subscriber_id)
    VALUES (business, settled.subscriber_kind, settled.subscriber_id);
    RETURN '"written"';
  END $$;
`;
