import type { Delivery, Settlement } from "@budgetkit/core/store";
import { asDelivery, idToFind, idToWrite, shareBodies } from "@budgetkit/store-kit";
import type { StoreClock } from "../commit/connection.js";
import type { ArrayRow } from "../engine/array-batches.js";

/** A row with a value for each of these columns. */
type Columns<Names extends string> = ArrayRow & Readonly<Record<Names, string | number | null>>;

/** The place of an ordered delivery. */
const ORDER_TYPES = { ordered_subject: "text", ordered_sequence: "bigint" };

/** The columns of a delivery, without body, origin and place. */
const DELIVERY_TYPES = {
  business_id: "bigint",
  id: "bigint",
  subscriber_kind: "text",
  subscriber_id: "bigint",
  event_id: "text",
  event_type: "text",
  status: "text",
  attempts: "integer",
  attempts_in_round: "integer",
  next_attempt_at: "bigint",
  deadline_at: "bigint",
  lease_id: "text",
  lease_until: "bigint",
  response_code: "integer",
  created_at: "bigint",
  updated_at: "bigint",
};

export const DELIVERY_COLUMNS = Object.keys(DELIVERY_TYPES);

export const ORDER_COLUMNS = Object.keys(ORDER_TYPES);

/** The columns of the queue and of the log. */
export const STORED_TYPES = { ...DELIVERY_TYPES, ...ORDER_TYPES, trail: "text", body_id: "bigint" };

export const STORED_COLUMNS = Object.keys(STORED_TYPES);

export const TABLE_COLUMNS = STORED_COLUMNS.join(", ");

/** The columns of a delivery with body, origin and place, as they are read. */
const WHOLE_TYPES = { ...DELIVERY_TYPES, body: "text", origin: "text", ...ORDER_TYPES };

/** The same as the columns of a function's result. */
export const DELIVERY_RESULT = Object.entries(WHOLE_TYPES)
  .map(([name, type]) => `${name} ${type}`)
  .join(", ");

/** The columns of {@link deliveryArguments}. Of the deliveries that share a body, the first brings it. */
export const ADDED_TYPES = {
  ...DELIVERY_TYPES,
  ...ORDER_TYPES,
  body_id: "bigint",
  sharers: "integer", // deliveries of the body; null, as are the next three = another delivery brings it
  head: "text",
  tail: "text",
  origin: "text",
  clock: "text",
};

export type AddedRow = Columns<keyof typeof ADDED_TYPES>;

/** The body, origin and place of a delivery of `table`, which follow the columns in the row of {@link asDelivery}. */
export function bodyOf(table: string): string {
  const beside = (column: string) => `(
    SELECT ${column} FROM @delivery_bodies AS bodies
    WHERE bodies.business_id = ${table}.business_id AND bodies.id = coalesce(${table}.body_id, ${table}.id)
  )`;
  return [beside(wholeBody(`${table}.id`)), beside("origin"), ...ORDER_COLUMNS].join(", ");
}

/** The body of this delivery, of a row of the bodies. */
export function wholeBody(id: string): string {
  return `coalesce(head || ${id} || tail, head)`;
}

export const UNFINISHED = "'pending', 'retrying'";

export const IS_UNFINISHED = `status IN (${UNFINISHED})`;

/** The columns of a note that the turn of a subject may begin. */
const TURN_COLUMNS = "business_id, subscriber_kind, subscriber_id, ordered_subject";

/** A part of a WITH clause that notes the subjects of these ordered deliveries of `rows`: see `@start_turns`. */
export function notingTurns(rows: string, condition = "true"): string {
  return `noted AS (
      INSERT INTO @delivery_turns (${TURN_COLUMNS})
      SELECT DISTINCT ${TURN_COLUMNS} FROM ${rows} WHERE ordered_subject IS NOT NULL AND ${condition}
    )`;
}

/**
 * The end of a WITH clause that stores the deliveries of `rows`, one of its parts, in the queue and in the log. The
 * subjects of those that match `noted` are noted.
 */
export function storing(rows: string, noted = "true"): string {
  return `${queueing(rows, noted)}
    ${intoTable("@delivery_log", rows, `NOT (${IS_UNFINISHED})`)}`;
}

/** The same as parts of a WITH clause that goes on. */
export function storingFirst(rows: string): string {
  return `${queueing(rows, "true")}, logged AS (
      ${intoTable("@delivery_log", rows, `NOT (${IS_UNFINISHED})`)}
    )`;
}

function queueing(rows: string, noted: string): string {
  return `queued AS (
      ${intoTable("@delivery_queue", rows, IS_UNFINISHED)}
    ), ${notingTurns(rows, noted)}`;
}

function intoTable(table: string, rows: string, condition: string): string {
  return `INSERT INTO ${table} (${TABLE_COLUMNS}) SELECT ${TABLE_COLUMNS} FROM ${rows} WHERE ${condition}`;
}

/** Deliveries as the functions that add them take them. Throws a RangeError for a text that is no id. */
export function deliveryArguments(deliveries: readonly Delivery[], clock: StoreClock): readonly AddedRow[] {
  return shareBodies(deliveries).flatMap(({ deliveries, head, tail, origin }) => {
    const [first] = deliveries;
    const body_id = idToWrite(first.id);
    const brought = { sharers: deliveries.length, head, tail, origin };
    return deliveries.map((delivery) => ({
      ...deliveryColumns(delivery, clock),
      body_id,
      ...(delivery === first ? brought : { sharers: null, head: null, tail: null, origin: null }),
    }));
  });
}

function deliveryColumns(delivery: Delivery, clock: StoreClock) {
  return {
    business_id: idToWrite(delivery.businessId),
    id: idToWrite(delivery.id),
    subscriber_kind: delivery.subscriber.kind,
    subscriber_id: idToWrite(delivery.subscriber.id),
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    attempts_in_round: delivery.attemptsSinceRestart,
    next_attempt_at: delivery.nextAttemptAt,
    deadline_at: delivery.deadlineAt,
    lease_id: delivery.lease?.token ?? null,
    lease_until: delivery.lease?.until ?? null,
    response_code: delivery.responseCode,
    created_at: delivery.createdAt,
    updated_at: delivery.updatedAt,
    ordered_subject: delivery.order?.subject ?? null,
    ordered_sequence: delivery.order?.sequence ?? null,
    clock,
  };
}

const ATTEMPT_TYPES = {
  attempt_number: "integer", // null = the receiver was not called
  started_at: "bigint",
  duration_ms: "bigint",
  response_code: "integer",
  error: "text",
  response_body: "text",
};

/** The columns of {@link settlementArgument}. */
export const SETTLEMENT_TYPES = {
  business_id: "bigint",
  id: "bigint",
  fencing_token: "text",
  refunded_attempts: "integer",
  status: "text",
  next_attempt_at: "bigint",
  settled_at: "bigint",
  clock: "text",
  ...ATTEMPT_TYPES,
};

/** An id that does not exist is harmless: an attempt is written only with a delivery that was found. */
export function settlementArgument(settlement: Settlement, clock: StoreClock): Columns<keyof typeof SETTLEMENT_TYPES> {
  const { businessId, deliveryId, fencingToken, attempt, refundedAttempts, status, nextAttemptAt, now } = settlement;
  return {
    business_id: idToFind(businessId),
    id: idToFind(deliveryId),
    fencing_token: fencingToken,
    refunded_attempts: attempt === null ? refundedAttempts : 0,
    status,
    next_attempt_at: nextAttemptAt,
    settled_at: now,
    clock,
    attempt_number: attempt?.number ?? null,
    started_at: attempt?.startedAt ?? null,
    duration_ms: attempt?.durationMs ?? null,
    response_code: attempt?.responseCode ?? null,
    error: attempt?.error ?? null,
    response_body: attempt?.responseBody ?? null,
  };
}

/** The stored form of an attempt with these columns, byte for byte as `attemptText` of core writes it. */
export function attemptIn(table: string, number: string): string {
  const orNull = (json: string) => `coalesce(${json}, 'null')`;
  const columns = [
    `${table}.${number}`,
    `${table}.started_at`,
    `${table}.duration_ms`,
    orNull(`${table}.response_code::text`),
    orNull(`to_json(${table}.error)::text`),
    orNull(`to_json(${table}.response_body)::text`),
  ];
  return `concat('[', ${columns.join(", ',', ")}, ']')`;
}
