import {
  type Attempt,
  DELIVERY_STATUSES,
  type Delivery,
  EVENT_TYPES,
  type Lease,
  type Origin,
  SUBSCRIBER_KINDS,
  type Subscriber,
} from "@budgetkit/core/store";
import type { SqlValue } from "./connection.js";
import { idToFind, idToWrite } from "./ids.js";
import { asDocument, asInteger, asOneOf, asText, orNull, type Row } from "./rows.js";

/** Everything of a delivery but its body and origin, in the order in which {@link deliveryValuesOf} gives the values. */
export const DELIVERY_COLUMNS =
  "business_id, id, subscriber_kind, subscriber_id, event_id, event_type, status, attempts, attempts_in_round, " +
  "next_attempt_at, deadline_at, lease_id, lease_until, response_code, created_at, updated_at";

/** Reads whole deliveries, as {@link asDelivery} takes them. Of rows that OFFSET skips the body is not looked up. */
export const SELECT_DELIVERIES = `SELECT ${wholeDelivery("deliveries")} FROM budgetkit_deliveries AS deliveries`;

/** The same of the rows that an UPDATE has changed. Where it returns them SQLite knows no alias of its table. */
export const RETURNING_DELIVERIES = `RETURNING ${wholeDelivery("budgetkit_deliveries")}`;

/** The indexes of deliveries are built on these very words. */
export const UNFINISHED = "status IN ('pending', 'retrying')";
export const UNDELIVERED = "status IN ('failed', 'cancelled') AND event_id IS NOT NULL";
export const FINISHED = "status IN ('delivered', 'failed', 'cancelled')";

/** The stored form of a subscriber: its business, its kind and its id. */
export type SubscriberKey = readonly [businessId: number, kind: string, id: number];

export function subscriberToFind(businessId: string, { kind, id }: Subscriber): SubscriberKey {
  return [idToFind(businessId), kind, idToFind(id)];
}

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
    delivery.attemptsInRound,
    delivery.nextAttemptAt,
    delivery.deadlineAt,
    delivery.lease?.id ?? null,
    delivery.lease?.until ?? null,
    delivery.responseCode,
    delivery.createdAt,
    delivery.updatedAt,
  ];
}

/** What stands in a table of its own: written once, and possibly large. */
export function bodyValuesOf({ businessId, id, body, origin }: Delivery): SqlValue[] {
  return [idToFind(businessId), idToFind(id), body, orNull(origin, JSON.stringify)];
}

export function asDelivery(row: Row): Delivery {
  const [businessId, id, subscriberKind, subscriberId, eventId, eventType, status, attempts, attemptsInRound] = row;
  const [nextAttemptAt, deadlineAt, leaseId, leaseUntil, responseCode, createdAt, updatedAt, body, origin] =
    row.slice(9);
  return {
    businessId: asId(businessId),
    id: asId(id),
    subscriber: { kind: asOneOf(SUBSCRIBER_KINDS, subscriberKind), id: asId(subscriberId) },
    eventId: orNull(eventId, asText),
    eventType: asOneOf(EVENT_TYPES, eventType),
    body: asText(body),
    origin: orNull(origin, asDocument<Origin>),
    status: asOneOf(DELIVERY_STATUSES, status),
    attempts: asInteger(attempts),
    attemptsInRound: asInteger(attemptsInRound),
    nextAttemptAt: orNull(nextAttemptAt, asInteger),
    deadlineAt: asInteger(deadlineAt),
    lease: orNull(leaseId, (held): Lease => ({ id: asText(held), until: asInteger(leaseUntil) })),
    responseCode: orNull(responseCode, asInteger),
    createdAt: asInteger(createdAt),
    updatedAt: asInteger(updatedAt),
  };
}

export const ATTEMPT_COLUMNS =
  "business_id, delivery_id, number, started_at, duration_ms, response_code, error, response_body";

/** Its ids need not be any: they are written only where the delivery that they name was found. */
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

export function asAttempt(row: Row): Attempt {
  const [businessId, deliveryId, number, startedAt, durationMs, responseCode, error, responseBody] = row;
  return {
    businessId: asId(businessId),
    deliveryId: asId(deliveryId),
    number: asInteger(number),
    startedAt: asInteger(startedAt),
    durationMs: asInteger(durationMs),
    responseCode: orNull(responseCode, asInteger),
    responseBody: orNull(responseBody, asText),
    error: orNull(error, asText),
  };
}

function asId(value: unknown): string {
  return String(asInteger(value));
}

function wholeDelivery(table: string): string {
  const beside = (column: string) => `(
    SELECT ${column} FROM budgetkit_delivery_bodies AS bodies
    WHERE bodies.business_id = ${table}.business_id AND bodies.delivery_id = ${table}.id
  )`;
  return `${DELIVERY_COLUMNS}, ${beside("body")}, ${beside("origin")}`;
}
