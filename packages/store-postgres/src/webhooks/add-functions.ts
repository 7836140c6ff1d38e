import { type ArrayFunction, arrayBody, arrayParameters, rowsOf } from "../engine/array-batches.js";
import { ALONG_INDEXES } from "../engine/planner-settings.js";
import { BYTES_OF_ADDED, countingDeliveries } from "../limits/storage-functions.js";
import { ADDED_TYPES, DELIVERY_COLUMNS, IS_UNFINISHED, ORDER_COLUMNS, storingFirst } from "./delivery-rows.js";

/** Adds deliveries and marks their events as fanned out. */
export const ADD_DELIVERIES: ArrayFunction = {
  name: "add_deliveries",
  tables: { event: { business_id: "bigint", sequence: "bigint" }, deliveries: ADDED_TYPES },
};

/** Times that decide about deliveries are stored by the clock that decides. */
const SHIFTED = (column: string) => `${column} + @clock_shift(clock, updated_at) AS ${column}`;

/**
 * The primary key of a table refuses an id that it has; this refuses one that the other table has, with the same error. A
 * subquery of one value is never hashed, so it stays a look-up by the primary key.
 */
const NEW_ID = `CASE
        WHEN ${IS_UNFINISHED} AND (${havingIdIn("@delivery_log")}) OR NOT (${IS_UNFINISHED}) AND (${havingIdIn("@delivery_queue")})
          THEN @refuse_delivery_id(business_id, id)
        ELSE id
      END AS id`;

function havingIdIn(table: string): string {
  return `SELECT true FROM ${table} AS stored WHERE stored.business_id = given.business_id AND stored.id = given.id`;
}

const WRITTEN: Readonly<Record<string, string>> = {
  id: NEW_ID,
  next_attempt_at: SHIFTED("next_attempt_at"),
  lease_until: SHIFTED("lease_until"),
};

const WRITTEN_COLUMNS = DELIVERY_COLUMNS.map((column) => WRITTEN[column] ?? column).join(", ");

/** Parts of a WITH clause that add the deliveries of `rows`, one of its parts. What they count is left to the statement. */
export function adding(rows: string): string {
  return `bodies AS (
      INSERT INTO @delivery_bodies (business_id, id, head, tail, origin, deliveries)
      SELECT business_id, body_id, head, tail, origin, sharers FROM ${rows} WHERE sharers IS NOT NULL
    ), written AS MATERIALIZED (
      SELECT ${WRITTEN_COLUMNS}, ${ORDER_COLUMNS.join(", ")}, trail, body_id FROM ${rows} AS given
    ), ${storingFirst("written")}`;
}

/** The first of the deliveries that share a body brings it. */
const ofFirst = (value: string) => `CASE WHEN id = body_id THEN ${value} END`;

/**
 * Settlements and fan-outs skip locked rows, as claims do, so that they never deadlock and a host's open transaction
 * never delays them.
 *
 * One statement locks rows, the next changes them by their `ctid`: a locked row does not move, and every plan is good.
 */
export const ADD_FUNCTIONS = `
  CREATE OR REPLACE FUNCTION @refuse_delivery_id(business bigint, id bigint) RETURNS bigint LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'duplicate delivery % in business %', id, business USING ERRCODE = 'unique_violation';
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
    ), ${adding("added")}
    ${countingDeliveries(`(SELECT business_id, ${BYTES_OF_ADDED} AS more FROM added) AS counted`)};`)} $$;

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
  -- document, whose numbers the commit may have filled in. Returns what they count for the quota.
  CREATE OR REPLACE FUNCTION @add_planned(business bigint, last bigint, revisions bigint[], event_ids text[],
    event_types text[], documents text[], plans jsonb) RETURNS bigint LANGUAGE plpgsql AS $$
  DECLARE
    bytes bigint;
  BEGIN
    WITH planned AS MATERIALIZED (
      SELECT plan, place, (plan #>> '{deliveries,0,id}')::bigint AS body_id,
        concat(plan #>> '{payload,0}', documents[place]::json -> 'data', plan #>> '{payload,1}') AS head,
        concat(plan #>> '{payload,2}', last + place, plan #>> '{payload,3}', revisions[place], plan #>> '{payload,4}')
          AS tail
      FROM jsonb_array_elements(plans) WITH ORDINALITY AS given (plan, place) WHERE jsonb_typeof(plan) = 'object'
    ), added AS MATERIALIZED (
      SELECT business AS business_id, id, subscriber_kind, subscriber_id, event_ids[place] AS event_id,
        event_types[place] AS event_type, 'pending' AS status, (fencing_token IS NOT NULL)::integer AS attempts,
        (fencing_token IS NOT NULL)::integer AS attempts_in_round,
        CASE WHEN ordered_subject IS NULL THEN (plan ->> 'planned_at')::bigint END AS next_attempt_at, deadline_at,
        fencing_token AS lease_id, lease_until, NULL::integer AS response_code, (plan ->> 'planned_at')::bigint AS created_at,
        (plan ->> 'planned_at')::bigint AS updated_at, body_id,
        ${ofFirst("jsonb_array_length(plan -> 'deliveries')")} AS sharers, ${ofFirst("head")} AS head,
        ${ofFirst("tail")} AS tail, ${ofFirst("plan ->> 'origin'")} AS origin,
        ordered_subject, CASE WHEN ordered_subject IS NOT NULL THEN last + place END AS ordered_sequence,
        plan ->> 'clock' AS clock, NULL::text AS trail
      FROM planned CROSS JOIN LATERAL jsonb_to_recordset(plan -> 'deliveries') AS delivery (id bigint,
        subscriber_kind text, subscriber_id bigint, deadline_at bigint, ordered_subject text, fencing_token text,
        lease_until bigint)
    ), ${adding("added")}
    SELECT coalesce(sum(${BYTES_OF_ADDED}), 0) INTO bytes FROM added;
    RETURN bytes;
  END $$;
`;
