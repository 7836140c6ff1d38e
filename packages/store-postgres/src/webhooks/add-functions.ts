import { type ArrayFunction, arrayParameters, rowsOf } from "../engine/array-batches.js";
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
function adding(rows: string): string {
  return `bodies AS (
      INSERT INTO @delivery_bodies (business_id, id, head, tail, origin, deliveries)
      SELECT business_id, body_id, head, tail, origin, sharers FROM ${rows} WHERE sharers IS NOT NULL
    ), written AS MATERIALIZED (
      SELECT ${WRITTEN_COLUMNS}, ${ORDER_COLUMNS.join(", ")}, trail, body_id FROM ${rows} AS given
    ), ${storingFirst("written")}`;
}

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
  CREATE OR REPLACE FUNCTION @add_deliveries(${arrayParameters(ADD_DELIVERIES)}) RETURNS integer[]
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    held tid[];
    places integer[];
  BEGIN
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
    ${countingDeliveries(`(SELECT business_id, ${BYTES_OF_ADDED} AS more FROM added) AS counted`)};
    RETURN places;
  END $$;
`;
