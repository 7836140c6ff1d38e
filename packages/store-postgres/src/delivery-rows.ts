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
import { idToFind, idToWrite } from "./ids.js";
import { asDocument, asInteger, asOneOf, asText, orNull, type Row } from "./rows.js";

/** Everything of a delivery but its body and origin. */
export const DELIVERY_COLUMNS = [
  "business_id",
  "id",
  "subscriber_kind",
  "subscriber_id",
  "event_id",
  "event_type",
  "status",
  "attempts",
  "attempts_in_round",
  "next_attempt_at",
  "deadline_at",
  "lease_id",
  "lease_until",
  "response_code",
  "created_at",
  "updated_at",
] as const;

/** Body and origin of a delivery of `table`; behind the columns they make up what {@link asDelivery} takes. */
export function bodyOf(table: string): string {
  const beside = (column: string) => `(
    SELECT ${column} FROM @delivery_bodies AS bodies
    WHERE bodies.business_id = ${table}.business_id AND bodies.delivery_id = ${table}.id
  )`;
  return `${beside("body")}, ${beside("origin")}`;
}

/** The indexes of deliveries are built on these very words. */
export const UNFINISHED = "status IN ('pending', 'retrying')";
export const UNDELIVERED = "status IN ('failed', 'cancelled') AND event_id IS NOT NULL";

/** The stored form of a subscriber: its business, its kind and its id. */
export type SubscriberKey = readonly [businessId: number, kind: string, id: number];

export function subscriberToFind(businessId: string, { kind, id }: Subscriber): SubscriberKey {
  return [idToFind(businessId), kind, idToFind(id)];
}

/** A delivery as the functions that add it take it. Throws a RangeError for an id that cannot be one. */
export function deliveryArgument(delivery: Delivery): unknown {
  return {
    business_id: idToWrite(delivery.businessId),
    id: idToWrite(delivery.id),
    subscriber_kind: delivery.subscriber.kind,
    subscriber_id: idToWrite(delivery.subscriber.id),
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    attempts_in_round: delivery.attemptsInRound,
    next_attempt_at: delivery.nextAttemptAt,
    deadline_at: delivery.deadlineAt,
    lease_id: delivery.lease?.id ?? null,
    lease_until: delivery.lease?.until ?? null,
    response_code: delivery.responseCode,
    created_at: delivery.createdAt,
    updated_at: delivery.updatedAt,
    body: delivery.body,
    origin: orNull(delivery.origin, JSON.stringify),
  };
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

/** Its ids need not be any: it is written only where the delivery that they name was found. */
export function attemptArgument(attempt: Attempt): unknown {
  return {
    business_id: idToFind(attempt.businessId),
    delivery_id: idToFind(attempt.deliveryId),
    number: attempt.number,
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    response_code: attempt.responseCode,
    error: attempt.error,
    response_body: attempt.responseBody,
  };
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
