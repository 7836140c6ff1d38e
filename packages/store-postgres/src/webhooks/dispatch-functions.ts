import { asOneOf } from "@budgetkit/core/store";
import { asNothing, commitFunctions } from "../engine/commit-calls.js";
import type { StoreClock } from "../engine/connection.js";
import { IN_INDEX_ORDER } from "../engine/planner-settings.js";
import {
  ATTEMPT_COLUMNS,
  DELIVERY_ARGUMENT,
  DELIVERY_COLUMNS,
  type DeliveryRow,
  SETTLEMENT_ARGUMENT,
  SETTLEMENT_COLUMNS,
  type SettlementRow,
  UNFINISHED,
} from "./delivery-rows.js";

const COLUMNS = DELIVERY_COLUMNS.join(", ");

/** Times that decide about deliveries are stored by the clock that decides. */
const SHIFTED_COLUMNS = DELIVERY_COLUMNS.map((column) =>
  column === "next_attempt_at" || column === "lease_until"
    ? `${column} + @clock_shift(clock, updated_at) AS ${column}`
    : column,
).join(", ");

/**
 * Settlements and fan-outs skip locked rows, as claims do, so that they never deadlock and a host's open transaction
 * never delays them.
 *
 * One statement locks rows, the next changes them by their `ctid`: a locked row does not move, and every plan is good.
 */
export const DISPATCH_FUNCTIONS = `
  -- The difference between the clock that decides and the clock of the caller, whose time is "now".
  CREATE OR REPLACE FUNCTION @clock_shift(clock text, now bigint) RETURNS bigint LANGUAGE sql AS $$
    SELECT CASE clock WHEN 'database'
      THEN floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint - now ELSE 0 END
  $$;

  -- Events without fan-out, no more of each business than its share. A business with more is excluded from the next page.
  -- STABLE: all statements read one snapshot.
  CREATE OR REPLACE FUNCTION @find_undispatched(how_many integer, per_business integer) RETURNS json
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
        ORDER BY event.position LIMIT how_many - cardinality(kept)
      );
      cut := ARRAY(SELECT business_id FROM unnest(page) GROUP BY business_id HAVING count(*) > per_business);
      EXIT WHEN cardinality(cut) = 0;
      kept := kept || ARRAY(
        SELECT placed.event FROM (
          SELECT event, row_number() OVER (PARTITION BY event.business_id ORDER BY event.position) AS place
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
      )) ORDER BY waiting.position)
      FROM unnest(kept || page) AS waiting
    ), '[]');
  END $$;

  CREATE OR REPLACE FUNCTION @count_backlog(now bigint, at_most integer, clock text) RETURNS json
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

  -- Adds the deliveries of the arguments at the places.
  CREATE OR REPLACE FUNCTION @add_deliveries(arguments jsonb, places bigint[]) RETURNS void LANGUAGE plpgsql AS $$
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
      INSERT INTO @delivery_bodies (business_id, delivery_id, body, origin)
      SELECT business_id, id, body, origin FROM added
    )
    INSERT INTO @queue_changes (business_id, subscriber_kind, subscriber_id)
    SELECT DISTINCT business_id, subscriber_kind, subscriber_id FROM added;
  END $$;

  CREATE OR REPLACE FUNCTION @insert_deliveries(arguments jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM @add_deliveries(arguments, ARRAY(SELECT generate_series(1, jsonb_array_length(arguments))::bigint));
    RETURN (SELECT jsonb_agg(NULL::text) FROM jsonb_array_elements(arguments));
  END $$;

  -- An event that another transaction has locked is "taken". It keeps waiting if that transaction is undone.
  CREATE OR REPLACE FUNCTION @fan_out(arguments jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
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
    RETURN @answer_each(arguments, places, 'written', 'taken');
  END $$;

  -- A locked delivery is being cancelled or claimed by another process: its lease is lost.
  CREATE OR REPLACE FUNCTION @settle_deliveries(arguments jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
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
    RETURN @answer_each(arguments, places, 'written', 'lease-lost');
  END $$;
`;

interface Arguments {
  fan_out: {
    business_id: number;
    sequence: number;
    deliveries: readonly DeliveryRow[];
    clock: StoreClock;
  };
  insert_deliveries: { deliveries: readonly DeliveryRow[]; clock: StoreClock };
  settle_deliveries: SettlementRow;
}

/** The functions that take the arguments of many calls at once. */
export const DISPATCH_BULK_COMMITS = commitFunctions<Arguments>()({
  fan_out: (answer) => asOneOf(["written", "taken"], answer),
  insert_deliveries: asNothing,
  settle_deliveries: (answer) => asOneOf(["written", "lease-lost"], answer),
});
