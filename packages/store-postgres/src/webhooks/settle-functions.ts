import { MAX_LISTED_ATTEMPTS } from "@budgetkit/core/store";
import { type ArrayFunction, arrayParameters, rowsOf } from "../engine/array-batches.js";
import { ALONG_INDEXES } from "../engine/planner-settings.js";
import { bytesOfTrail, countingDeliveries } from "../limits/storage-functions.js";
import {
  attemptIn,
  DELIVERY_COLUMNS,
  IS_UNFINISHED,
  notingTurns,
  ORDER_COLUMNS,
  SETTLEMENT_TYPES,
  STORED_COLUMNS,
  TABLE_COLUMNS,
  UNFINISHED,
} from "./delivery-rows.js";

export const SETTLE_DELIVERIES: ArrayFunction = {
  name: "settle_deliveries",
  tables: { settlements: SETTLEMENT_TYPES },
};

const ATTEMPT = attemptIn("given", "attempt_number");

/** The columns of a settled delivery, from its `stored` row and the `given` settlement. */
const SETTLED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...DELIVERY_COLUMNS, ...ORDER_COLUMNS, "body_id"].map((column) => [column, `stored.${column}`]),
  ),
  status: "given.status",
  attempts: "attempts - refunded_attempts",
  attempts_in_round: "attempts_in_round - refunded_attempts",
  next_attempt_at: "given.next_attempt_at + @clock_shift(clock, settled_at)",
  lease_id: "NULL::text",
  lease_until: "NULL::bigint",
  response_code: "CASE WHEN attempt_number IS NULL THEN stored.response_code ELSE given.response_code END",
  updated_at: "settled_at",
  trail: `CASE
          WHEN attempt_number IS NULL THEN trail
          WHEN trail IS NULL THEN ${ATTEMPT}
          ELSE @with_attempt(trail, attempt_number, ${ATTEMPT})
        END`,
};

const SETTLED_COLUMNS = STORED_COLUMNS.map((column) => `${SETTLED[column]} AS ${column}`).join(", ");

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
]
  .map((column) => `${column} = ${SETTLED[column]}`)
  .join(", ");

/** The settlements whose rows are locked. */
const GIVEN = `(
      SELECT locked.at, locked.former, given.* FROM unnest(held, places, formers) AS locked (at, place, former)
      JOIN ${rowsOf(SETTLE_DELIVERIES, "settlements")} USING (place)
    ) AS given`;

/** Settlements lock and skip rows as fan-outs do. Most batches have no retry, and skip the statement for these. */
export const SETTLE_FUNCTIONS = `
  -- The last attempts of a delivery and one more, whose number must be new.
  CREATE OR REPLACE FUNCTION @with_attempt(trail text, attempt_number integer, attempt text) RETURNS text
  LANGUAGE plpgsql AS $$
  DECLARE
    is_recorded boolean;
    earlier text[];
  BEGIN
    SELECT bool_or((made ->> 0)::integer = attempt_number), array_agg(made::text ORDER BY place)
    INTO is_recorded, earlier
    FROM json_array_elements(('[' || trail || ']')::json) WITH ORDINALITY AS given (made, place);
    IF is_recorded THEN
      RAISE EXCEPTION 'attempt % was recorded before', attempt_number USING ERRCODE = 'unique_violation';
    END IF;
    RETURN array_to_string(earlier[greatest(1, cardinality(earlier) - ${MAX_LISTED_ATTEMPTS - 2}):] || attempt, ',');
  END $$;

  -- A locked delivery is being cancelled or claimed by another process: its lease is lost. Returns the places of the
  -- settlements that were written.
  CREATE OR REPLACE FUNCTION @settle_deliveries(${arrayParameters(SETTLE_DELIVERIES)}) RETURNS integer[]
  LANGUAGE plpgsql ${ALONG_INDEXES} AS $$
  DECLARE
    held tid[];
    places integer[];
    formers integer[];
    businesses bigint[];
    mores integer[];
  BEGIN
    SELECT array_agg(locked.at), array_agg(locked.place), array_agg(locked.former) INTO held, places, formers FROM (
      SELECT delivery.at, min(given.place) AS place, min(delivery.former) AS former
      FROM ${rowsOf(SETTLE_DELIVERIES, "settlements")} CROSS JOIN LATERAL (
        SELECT stored.ctid AS at, ${bytesOfTrail("stored.trail")} AS former FROM @delivery_queue AS stored
        WHERE stored.business_id = given.business_id AND stored.id = given.id AND stored.lease_id = given.fencing_token
        FOR UPDATE SKIP LOCKED
      ) AS delivery
      GROUP BY delivery.at
    ) AS locked;
    IF settlements_status && ARRAY[${UNFINISHED}] THEN
      WITH retried AS (
        UPDATE @delivery_queue AS stored SET ${RETRIED_COLUMNS} FROM ${GIVEN}
        WHERE stored.ctid = given.at AND given.${IS_UNFINISHED}
        RETURNING stored.business_id, ${bytesOfTrail("stored.trail")} - given.former AS more
      )
      SELECT array_agg(business_id), array_agg(more) INTO businesses, mores FROM retried WHERE more <> 0;
    END IF;
    WITH ended AS (
      DELETE FROM @delivery_queue AS stored USING ${GIVEN}
      WHERE stored.ctid = given.at AND NOT (given.${IS_UNFINISHED})
      RETURNING ${SETTLED_COLUMNS}, given.former
    ), ${notingTurns("ended")}, counted AS (
      ${countingDeliveries(`(
        SELECT business_id, ${bytesOfTrail("trail")} - former AS more FROM ended
        UNION ALL SELECT * FROM unnest(businesses, mores)
      ) AS attempts`)}
    )
    INSERT INTO @delivery_log (${TABLE_COLUMNS}) SELECT ${TABLE_COLUMNS} FROM ended;
    RETURN places;
  END $$;
`;
