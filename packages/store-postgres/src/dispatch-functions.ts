import {
  ATTEMPT_COLUMNS,
  DELIVERY_ARGUMENT,
  DELIVERY_COLUMNS,
  SETTLEMENT_ARGUMENT,
  SETTLEMENT_COLUMNS,
  UNFINISHED,
} from "./delivery-rows.js";
import { IN_INDEX_ORDER } from "./planner-settings.js";

const COLUMNS = DELIVERY_COLUMNS.join(", ");

/** Moments that decide about deliveries are kept by the clock that decides. */
const SHIFTED_COLUMNS = DELIVERY_COLUMNS.map((column) =>
  column === "next_attempt_at" || column === "lease_until"
    ? `${column} + @clock_shift(clock, updated_at) AS ${column}`
    : column,
).join(", ");

const IS_DUE = `deliveries.${UNFINISHED} AND deliveries.next_attempt_at <= moment
            AND (deliveries.lease_until IS NULL OR deliveries.lease_until <= moment)`;

/** How a claim names subscribers. */
const subscriberName = (table: string) =>
  `concat_ws(' ', ${table}.business_id, ${table}.subscriber_kind, ${table}.subscriber_id)`;

/**
 * Claims come one after the other, and neither they nor settlements and fan-outs wait for a row that somebody is at work
 * on: what is being changed belongs to somebody else. So none of them is ever part of a deadlock, and a host's transaction
 * that stays open holds none of them up.
 *
 * Rows are locked by one statement and changed by the next, which finds them by their places in the table: nothing can
 * move them meanwhile, and no plan can go astray.
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

  -- Each argument has a clock and deliveries; only those at the places are added.
  CREATE FUNCTION @add_deliveries(arguments jsonb, places bigint[]) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    WITH added AS MATERIALIZED (
      SELECT given.clock, delivery.*
      FROM ROWS FROM (jsonb_to_recordset(arguments) AS (clock text, deliveries jsonb))
        WITH ORDINALITY AS given (clock, deliveries, place)
      CROSS JOIN LATERAL jsonb_to_recordset(given.deliveries) AS delivery (${DELIVERY_ARGUMENT})
      WHERE given.place = ANY (places)
    ), stored AS (
      INSERT INTO @deliveries (${COLUMNS}) SELECT ${SHIFTED_COLUMNS} FROM added
    ), bodies AS (
      INSERT INTO @delivery_bodies (business_id, delivery_id, body, origin) SELECT business_id, id, body, origin FROM added
    )
    INSERT INTO @queue_changes (business_id, subscriber_kind, subscriber_id)
    SELECT DISTINCT business_id, subscriber_kind, subscriber_id FROM added;
  END $$;

  CREATE FUNCTION @insert_deliveries(arguments jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM @add_deliveries(arguments, ARRAY(SELECT generate_series(1, jsonb_array_length(arguments))::bigint));
    RETURN (SELECT jsonb_agg(NULL::text) FROM jsonb_array_elements(arguments));
  END $$;

  -- An event that somebody else is about to fan out is taken; should they not come to it, it still waits.
  CREATE FUNCTION @fan_out(arguments jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    held tid[];
    places bigint[];
  BEGIN
    SELECT array_agg(locked.at), array_agg(locked.place) INTO held, places FROM (
      SELECT waiting.at, min(waiting.place) AS place FROM (
        SELECT event.at, given.place
        FROM ROWS FROM (jsonb_to_recordset(arguments) AS (business_id bigint, sequence bigint))
          WITH ORDINALITY AS given (business_id, sequence, place)
        CROSS JOIN LATERAL (
          SELECT stored.ctid AS at FROM @undispatched_events AS stored
          WHERE stored.business_id = given.business_id AND stored.sequence = given.sequence
          FOR UPDATE SKIP LOCKED
        ) AS event
      ) AS waiting GROUP BY waiting.at
    ) AS locked;
    IF places IS NOT NULL THEN
      DELETE FROM @undispatched_events WHERE ctid = ANY (held);
      PERFORM @add_deliveries(arguments, places);
    END IF;
    RETURN @told(arguments, places, 'written', 'taken');
  END $$;

  -- Whose business has the fewest calls comes first, those that it is given here included, then who is longest due. The
  -- first round looks for businesses without calls, and ends it if they are as many as the places. If not, all of them are
  -- known, and so are those with calls: the second round reads, of each of these, no more than it can be given once each
  -- without calls has one. Of so many deliveries none belongs to a subscriber beyond the first so many queues: those are
  -- read, a share of each, and nothing of anybody's backlog. The rooms say what is left of a share after what is under way.
  CREATE FUNCTION @claim_due(claim jsonb) RETURNS json LANGUAGE plpgsql ${IN_INDEX_ORDER} AS $$
  DECLARE
    shift bigint := @clock_shift(claim ->> 'clock', (claim ->> 'now')::bigint);
    moment bigint := (claim ->> 'now')::bigint + shift;
    how_many integer := (claim ->> 'limit')::integer;
    per_business integer := (claim ->> 'perBusiness')::integer;
    per_subscriber integer := (claim ->> 'perSubscriber')::integer;
    rooms_of_businesses jsonb := claim -> 'roomsOfBusinesses';
    rooms_of_subscribers jsonb := claim -> 'roomsOfSubscribers';
    busy bigint[] := ARRAY(SELECT jsonb_object_keys(rooms_of_businesses)::bigint);
    without bigint[] := busy;
    share bigint := 1;
    wanted bigint := how_many;
    page @delivery_queues[];
    cut bigint[];
    chosen @delivery_queues[];
    due tid[];
    leased json;
    durability text := current_setting('synchronous_commit');
  BEGIN
    PERFORM @refresh_queues();
    FOR round IN 1..2 LOOP
      chosen := '{}';
      LOOP
        page := ARRAY(
          SELECT stored FROM @delivery_queues AS stored
          WHERE stored.due_at <= moment AND stored.business_id <> ALL (without) AND coalesce((rooms_of_subscribers ->> ${subscriberName("stored")})::integer, per_subscriber) > 0
          ORDER BY stored.due_at LIMIT wanted - cardinality(chosen)
        );
        cut := ARRAY(
          SELECT business_id FROM unnest(page) GROUP BY business_id
          HAVING count(*) > least(share, coalesce((rooms_of_businesses ->> business_id::text)::integer, per_business))
        );
        EXIT WHEN cardinality(cut) = 0;
        chosen := chosen || ARRAY(
          SELECT placed.stored FROM (
            SELECT stored, row_number() OVER (PARTITION BY stored.business_id ORDER BY stored.due_at) AS place
            FROM unnest(page) AS stored WHERE stored.business_id = ANY (cut)
          ) AS placed
          WHERE placed.place <= least(share, coalesce((rooms_of_businesses ->> (placed.stored).business_id::text)::integer, per_business))
        );
        without := without || cut;
      END LOOP;
      chosen := chosen || page;
      EXIT WHEN round = 2 OR cardinality(chosen) = how_many;
      share := how_many - cardinality(chosen) + 1;
      wanted := share * (cardinality(chosen) + cardinality(busy));
      without := ARRAY(SELECT key::bigint FROM jsonb_each_text(rooms_of_businesses) WHERE value::integer <= 0);
    END LOOP;

    due := ARRAY(
      WITH waiting AS (
        SELECT stored.business_id, delivery.id, delivery.due_at, delivery.at
        FROM unnest(chosen) AS stored CROSS JOIN LATERAL (
          SELECT deliveries.id, greatest(deliveries.next_attempt_at, deliveries.lease_until) AS due_at, deliveries.ctid AS at
          FROM @deliveries AS deliveries
          WHERE deliveries.business_id = stored.business_id AND deliveries.subscriber_kind = stored.subscriber_kind
            AND deliveries.subscriber_id = stored.subscriber_id AND ${IS_DUE}
          ORDER BY deliveries.next_attempt_at, deliveries.id
          LIMIT least(share, coalesce((rooms_of_subscribers ->> ${subscriberName("stored")})::integer, per_subscriber))
        ) AS delivery
      ), placed AS (
        SELECT *, row_number() OVER (PARTITION BY business_id ORDER BY due_at, id) AS place FROM waiting
      )
      SELECT at FROM placed CROSS JOIN LATERAL (
        SELECT coalesce((rooms_of_businesses ->> business_id::text)::integer, per_business) AS room
      ) AS left_over
      WHERE place <= room
      ORDER BY per_business - room + place, due_at, id LIMIT how_many
    );
    due := ARRAY(
      SELECT ctid FROM @deliveries AS deliveries WHERE ctid = ANY (due) AND ${IS_DUE} FOR NO KEY UPDATE SKIP LOCKED
    );
    WITH leased AS (
      UPDATE @deliveries AS deliveries SET
        attempts = deliveries.attempts + 1, attempts_in_round = deliveries.attempts_in_round + 1,
        lease_id = claim ->> 'leaseId', lease_until = (claim ->> 'leaseUntil')::bigint + shift,
        updated_at = (claim ->> 'now')::bigint
      WHERE ctid = ANY (due)
      RETURNING ${COLUMNS}
    )
    SELECT json_agg(json_build_array(${DELIVERY_COLUMNS.map((column) => `delivery.${column}`).join(", ")}, bodies.body, bodies.origin)
      ORDER BY delivery.next_attempt_at, delivery.id) INTO leased
    FROM leased AS delivery CROSS JOIN LATERAL (
      SELECT body, origin FROM @delivery_bodies AS stored
      WHERE stored.business_id = delivery.business_id AND stored.delivery_id = delivery.id LIMIT 1
    ) AS bodies;

    PERFORM @keep_queues(chosen);
    -- A call that is made must not be forgotten: a claim that leased something waits for the disk.
    IF leased IS NOT NULL THEN PERFORM set_config('synchronous_commit', durability, true); END IF;
    RETURN coalesce(leased, '[]');
  END $$;

  -- A delivery that somebody is at work on is being cancelled or taken over: its lease is lost.
  CREATE FUNCTION @settle_deliveries(arguments jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  DECLARE
    held tid[];
    places bigint[];
  BEGIN
    SELECT array_agg(locked.at), array_agg(locked.place) INTO held, places FROM (
      SELECT delivery.at, given.place
      FROM ROWS FROM (jsonb_to_recordset(arguments) AS (business_id bigint, id bigint, lease_id text))
        WITH ORDINALITY AS given (business_id, id, lease_id, place)
      CROSS JOIN LATERAL (
        SELECT deliveries.ctid AS at FROM @deliveries AS deliveries
        WHERE deliveries.business_id = given.business_id AND deliveries.id = given.id
          AND deliveries.lease_id = given.lease_id
        FOR NO KEY UPDATE SKIP LOCKED
      ) AS delivery
    ) AS locked;
    WITH given AS MATERIALIZED (
      SELECT locked.at, locked.place, settlement.*
      FROM unnest(held, places) AS locked (at, place)
      JOIN ROWS FROM (jsonb_to_recordset(arguments) AS (${SETTLEMENT_ARGUMENT}))
        WITH ORDINALITY AS settlement (${SETTLEMENT_COLUMNS}, turn) ON settlement.turn = locked.place
    ), settled AS (
      UPDATE @deliveries AS deliveries SET
        status = given.status,
        next_attempt_at = given.next_attempt_at + @clock_shift(given.clock, given.settled_at),
        lease_id = NULL, lease_until = NULL, updated_at = given.settled_at,
        attempts = deliveries.attempts - given.taken_back,
        attempts_in_round = deliveries.attempts_in_round - given.taken_back,
        response_code = CASE WHEN given.attempt_number IS NULL THEN deliveries.response_code ELSE given.response_code END
      FROM given WHERE deliveries.ctid = given.at
      RETURNING given.place, deliveries.business_id, deliveries.id, deliveries.subscriber_kind, deliveries.subscriber_id
    ), attempted AS (
      INSERT INTO @attempts (${ATTEMPT_COLUMNS})
      SELECT given.business_id, given.id, attempt_number, started_at, duration_ms, response_code, error, response_body
      FROM given JOIN settled USING (place) WHERE attempt_number IS NOT NULL
    ), changed AS (
      INSERT INTO @queue_changes (business_id, subscriber_kind, subscriber_id)
      SELECT DISTINCT business_id, subscriber_kind, subscriber_id FROM settled
    )
    SELECT array_agg(place) INTO places FROM settled;
    RETURN @told(arguments, places, 'written', 'lost');
  END $$;
`;
