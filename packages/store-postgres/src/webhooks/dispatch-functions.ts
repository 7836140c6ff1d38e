import { type ArrayFunction, arrayBody, arrayParameters, rowsOf } from "../engine/array-batches.js";
import { ALONG_INDEXES, IN_INDEX_ORDER } from "../engine/planner-settings.js";
import {
  ADDED_TYPES,
  DELIVERY_COLUMNS,
  IS_UNFINISHED,
  notingTurns,
  ORDER_COLUMNS,
  SETTLEMENT_TYPES,
  storing,
  TABLE_COLUMNS,
} from "./delivery-rows.js";

/** Adds deliveries and marks their events as fanned out. */
export const ADD_DELIVERIES: ArrayFunction = {
  name: "add_deliveries",
  tables: { event: { business_id: "bigint", sequence: "bigint" }, deliveries: ADDED_TYPES },
};

export const SETTLE_DELIVERIES: ArrayFunction = {
  name: "settle_deliveries",
  tables: { settlements: SETTLEMENT_TYPES },
};

/** Times that decide about deliveries are stored by the clock that decides. */
const SHIFTED_COLUMNS = DELIVERY_COLUMNS.map((column) =>
  column === "next_attempt_at" || column === "lease_until"
    ? `${column} + @clock_shift(clock, updated_at) AS ${column}`
    : column,
).join(", ");

/** The end of a WITH clause that adds the deliveries of `rows`, one of its parts. */
export function adding(rows: string): string {
  return `bodies AS (
      INSERT INTO @delivery_bodies (business_id, delivery_id, body, origin)
      SELECT business_id, id, body, origin FROM ${rows}
    ), shifted AS (
      SELECT ${SHIFTED_COLUMNS}, ${ORDER_COLUMNS.join(", ")}, trail FROM ${rows}
    ), ${storing("shifted")}`;
}

const ATTEMPT =
  "json_build_array(attempt_number, started_at, duration_ms, given.response_code, error, response_body)::text";

const SETTLED_COLUMNS = `stored.business_id, stored.id, subscriber_kind, subscriber_id, event_id, event_type,
        given.status, attempts - taken_back AS attempts, attempts_in_round - taken_back AS attempts_in_round,
        given.next_attempt_at + @clock_shift(clock, settled_at) AS next_attempt_at, deadline_at,
        NULL::text AS lease_id, NULL::bigint AS lease_until,
        CASE WHEN attempt_number IS NULL THEN stored.response_code ELSE given.response_code END AS response_code,
        created_at, settled_at AS updated_at, ${ORDER_COLUMNS.join(", ")},
        CASE
          WHEN attempt_number IS NULL THEN trail
          WHEN trail IS NULL THEN ${ATTEMPT}
          ELSE @with_attempt(trail, attempt_number, ${ATTEMPT})
        END AS trail`;

/** A retry stays the same row, so that a cancellation that waits for its lock finds it. */
const RETRIED_COLUMNS = [
  "status",
  "attempts",
  "attempts_in_round",
  "next_attempt_at",
  "lease_id",
  "lease_until",
  "response_code",
  "updated_at",
  "trail",
];

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

  -- Events without fan-out, no more of each business than its share, and none of the businesses in "without". A business
  -- with more is added to them before the next page.
  -- STABLE: all statements read one snapshot.
  CREATE OR REPLACE FUNCTION @find_undispatched(
    how_many integer, per_business integer, without bigint[] DEFAULT '{}'
  ) RETURNS json
  LANGUAGE plpgsql STABLE ${IN_INDEX_ORDER} AS $$
  DECLARE
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
      SELECT json_agg((
        SELECT json_build_array(events.sequence, events.revision, events.document) FROM @events AS events
        WHERE events.business_id = waiting.business_id AND events.sequence = waiting.sequence
      ) ORDER BY waiting.position)
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
        SELECT FROM @delivery_queue
        WHERE next_attempt_at <= moment AND (lease_until IS NULL OR lease_until <= moment)
        LIMIT at_most
      ) AS due)
    );
  END $$;

  -- Adds deliveries, with the fan-out of an event or alone. An event that another transaction has locked is "taken": it
  -- keeps waiting if that transaction is undone. Returns the places of the calls whose event was fanned out.
  CREATE OR REPLACE FUNCTION @add_deliveries(${arrayParameters(ADD_DELIVERIES)}) RETURNS jsonb
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  ${arrayBody(`
    SELECT array_agg(waiting.at), array_agg(waiting.place) INTO held, places FROM (
      SELECT event.at, min(given.place) AS place FROM ${rowsOf(ADD_DELIVERIES, "event")} CROSS JOIN LATERAL (
        SELECT stored.ctid AS at FROM @undispatched_events AS stored
        WHERE stored.business_id = given.business_id AND stored.sequence = given.sequence
        FOR UPDATE SKIP LOCKED
      ) AS event
      GROUP BY event.at
    ) AS waiting;
    DELETE FROM @undispatched_events WHERE ctid = ANY (held);
    WITH added AS MATERIALIZED (
      SELECT given.*, NULL::text AS trail FROM ${rowsOf(ADD_DELIVERIES, "deliveries")}
      WHERE given.place = ANY (places) OR given.place <> ALL (event_place)
    ), ${adding("added")};`)} $$;

  -- The plans that are for the subscribers that the business has, each at its place; null = another one. The caller holds
  -- the lock of the business, but a snapshot may be older than the lock: see "may_have_subscribers".
  CREATE OR REPLACE FUNCTION @plans_for_subscribers(business bigint, plans jsonb) RETURNS jsonb LANGUAGE sql AS $$
    SELECT jsonb_agg(CASE
      WHEN plan ->> 'subscribers' = subscribers.names AND current_setting('transaction_isolation') = 'read committed'
        THEN plan
    END ORDER BY place)
    FROM jsonb_array_elements(plans) WITH ORDINALITY AS given (plan, place) CROSS JOIN (
      SELECT string_agg(name, ',' ORDER BY name COLLATE "C") AS names FROM (
        SELECT concat('endpoint ', id, ' ', version) AS name FROM @endpoints
        WHERE business_id = business AND status = 'ACTIVE'
        UNION ALL
        SELECT concat('key ', id, ' ', version) FROM @keys
        WHERE business_id = business AND status = 'ACTIVE' AND webhook_url IS NOT NULL
      ) AS named
    ) AS subscribers
  $$;

  -- Adds the planned deliveries of events that were appended after the entry "last". The data of a payload are those of the
  -- document, whose numbers the commit may have filled in.
  CREATE OR REPLACE FUNCTION @add_planned(business bigint, last bigint, revisions bigint[], event_ids text[],
    event_types text[], documents text[], plans jsonb) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    WITH planned AS MATERIALIZED (
      SELECT plan, place, concat(plan #>> '{payload,0}', documents[place]::json -> 'data', plan #>> '{payload,1}') AS head,
        concat(plan #>> '{payload,2}', last + place, plan #>> '{payload,3}', revisions[place], plan #>> '{payload,4}')
          AS tail
      FROM jsonb_array_elements(plans) WITH ORDINALITY AS given (plan, place) WHERE jsonb_typeof(plan) = 'object'
    ), added AS MATERIALIZED (
      SELECT business AS business_id, id, subscriber_kind, subscriber_id, event_ids[place] AS event_id,
        event_types[place] AS event_type, 'pending' AS status, (lease_id IS NOT NULL)::integer AS attempts,
        (lease_id IS NOT NULL)::integer AS attempts_in_round,
        CASE WHEN ordered_subject IS NULL THEN (plan ->> 'planned_at')::bigint END AS next_attempt_at, deadline_at,
        lease_id, lease_until, NULL::integer AS response_code, (plan ->> 'planned_at')::bigint AS created_at,
        (plan ->> 'planned_at')::bigint AS updated_at, concat(head, id, tail) AS body, plan ->> 'origin' AS origin,
        ordered_subject, CASE WHEN ordered_subject IS NOT NULL THEN last + place END AS ordered_sequence,
        plan ->> 'clock' AS clock, NULL::text AS trail
      FROM planned CROSS JOIN LATERAL jsonb_to_recordset(plan -> 'deliveries') AS delivery (id bigint,
        subscriber_kind text, subscriber_id bigint, deadline_at bigint, ordered_subject text, lease_id text,
        lease_until bigint)
    ), ${adding("added")};
  END $$;

  -- The attempts of a delivery and one more, whose number must be new.
  CREATE OR REPLACE FUNCTION @with_attempt(trail text, attempt_number integer, attempt text) RETURNS text
  LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (
      SELECT FROM json_array_elements(('[' || trail || ']')::json) AS made
      WHERE (made ->> 0)::integer = attempt_number
    ) THEN
      RAISE EXCEPTION 'attempt % was recorded before', attempt_number USING ERRCODE = 'unique_violation';
    END IF;
    RETURN trail || ',' || attempt;
  END $$;

  -- A locked delivery is being cancelled or claimed by another process: its lease is lost. Returns the places of the
  -- settlements that were written.
  CREATE OR REPLACE FUNCTION @settle_deliveries(${arrayParameters(SETTLE_DELIVERIES)}) RETURNS jsonb
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  ${arrayBody(`
    SELECT array_agg(locked.at), array_agg(locked.place) INTO held, places FROM (
      SELECT delivery.at, min(given.place) AS place
      FROM ${rowsOf(SETTLE_DELIVERIES, "settlements")} CROSS JOIN LATERAL (
        SELECT stored.ctid AS at FROM @delivery_queue AS stored
        WHERE stored.business_id = given.business_id AND stored.id = given.id AND stored.lease_id = given.lease_id
        FOR UPDATE SKIP LOCKED
      ) AS delivery
      GROUP BY delivery.at
    ) AS locked;
    WITH given AS MATERIALIZED (
      SELECT locked.at, given.* FROM unnest(held, places) AS locked (at, place)
      JOIN ${rowsOf(SETTLE_DELIVERIES, "settlements")} USING (place)
    ), settled AS MATERIALIZED (
      SELECT given.at, ${SETTLED_COLUMNS}
      FROM given JOIN @delivery_queue AS stored ON stored.ctid = given.at
    ), retried AS (
      UPDATE @delivery_queue AS stored SET ${RETRIED_COLUMNS.map((column) => `${column} = settled.${column}`).join(", ")}
      FROM settled WHERE stored.ctid = settled.at AND settled.${IS_UNFINISHED}
    ), ended AS (
      DELETE FROM @delivery_queue AS stored USING settled
      WHERE stored.ctid = settled.at AND NOT (settled.${IS_UNFINISHED})
    ), ${notingTurns("settled", `NOT (${IS_UNFINISHED})`)}
    INSERT INTO @delivery_log (${TABLE_COLUMNS}) SELECT ${TABLE_COLUMNS} FROM settled WHERE NOT (${IS_UNFINISHED});`)} $$;
`;
