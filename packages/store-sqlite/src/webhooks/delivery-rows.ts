import { type Attempt, type Delivery, idToFind, idToWrite, orNull } from "@budgetkit/core/store";
import type { SqlValue } from "../engine/connection.js";

/** All columns of a delivery except body and origin, in the order of {@link deliveryValuesOf}. */
export const DELIVERY_COLUMNS =
  "business_id, id, subscriber_kind, subscriber_id, event_id, event_type, status, attempts, attempts_in_round, " +
  "next_attempt_at, deadline_at, lease_id, lease_until, response_code, created_at, updated_at";

/** Selects deliveries for `asDelivery`. Rows that OFFSET skips cost no look-up of their body. */
export const SELECT_DELIVERIES = `SELECT ${wholeDelivery("deliveries")} FROM budgetkit_deliveries AS deliveries`;

/** The same for the rows of an UPDATE. In RETURNING, SQLite accepts no alias of the table. */
export const RETURNING_DELIVERIES = `RETURNING ${wholeDelivery("budgetkit_deliveries")}`;

/** The indexes of deliveries are built on exactly these words. */
export const UNFINISHED = "status IN ('pending', 'retrying')";
export const UNDELIVERED = "status IN ('failed', 'cancelled') AND event_id IS NOT NULL";
export const FINISHED = "status IN ('delivered', 'failed', 'cancelled')";

/** Throws a RangeError for an id that cannot be one. */
export function deliveryValuesOf(delivery: Delivery): SqlValue[] {
  return [
    idToWrite(delivery.businessId),
    idToWrite(delivery.id),
    delivery.subscriber.kind,
    idToWrite(delivery.subscriber.id),
    delivery.eventId,
    delivery.eventType,
    delivery.status,
    delivery.attempts,
    delivery.attemptsSinceRestart,
    delivery.nextAttemptAt,
    delivery.deadlineAt,
    delivery.lease?.token ?? null,
    delivery.lease?.until ?? null,
    delivery.responseCode,
    delivery.createdAt,
    delivery.updatedAt,
  ];
}

/** The values of the table of bodies. */
export function bodyValuesOf({ businessId, id, body, origin }: Delivery): SqlValue[] {
  return [idToFind(businessId), idToFind(id), body, orNull(origin, JSON.stringify)];
}

export const ATTEMPT_COLUMNS =
  "business_id, delivery_id, number, started_at, duration_ms, response_code, error, response_body";

/** Ids that are not valid match no delivery, so they are never written. */
export function attemptValuesOf(attempt: Attempt): SqlValue[] {
  return [
    idToFind(attempt.businessId),
    idToFind(attempt.deliveryId),
    attempt.number,
    attempt.startedAt,
    attempt.durationMs,
    attempt.responseCode,
    attempt.error,
    attempt.responseBody,
  ];
}

function wholeDelivery(table: string): string {
  const beside = (column: string) => `(
    SELECT ${column} FROM budgetkit_delivery_bodies AS bodies
    WHERE bodies.business_id = ${table}.business_id AND bodies.delivery_id = ${table}.id
  )`;
  return `${DELIVERY_COLUMNS}, ${beside("body")}, ${beside("origin")}`;
}
