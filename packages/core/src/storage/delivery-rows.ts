/** Rows of webhook deliveries and their attempts, read alike by the SQL stores. */
import { EVENT_TYPES, SUBSCRIBER_KINDS, type Subscriber } from "../events/event.js";
import type { Origin } from "../kernel/actor.js";
import { type Attempt, DELIVERY_STATUSES, type Delivery, type Lease } from "../webhooks/delivery.js";
import { asDocument, asId, asInteger, asOneOf, asText, idToFind, orNull, type Row } from "./row-values.js";

/** Reads the columns that the stores list as DELIVERY_COLUMNS, then body and origin, then the place of an ordered one. */
export function asDelivery(row: Row): Delivery {
  const [businessId, id, subscriberKind, subscriberId, eventId, eventType, status, attempts, attemptsSinceRestart] =
    row;
  const [nextAttemptAt, deadlineAt, fencingToken, leaseUntil, responseCode, createdAt, updatedAt, body, origin] =
    row.slice(9);
  const [subject, sequence] = row.slice(18);
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
    attemptsSinceRestart: asInteger(attemptsSinceRestart),
    nextAttemptAt: orNull(nextAttemptAt, asInteger),
    deadlineAt: asInteger(deadlineAt),
    lease: orNull(fencingToken, (token): Lease => ({ token: asText(token), until: asInteger(leaseUntil) })),
    responseCode: orNull(responseCode, asInteger),
    createdAt: asInteger(createdAt),
    updatedAt: asInteger(updatedAt),
    ...(subject === null ? {} : { order: { subject: asText(subject), sequence: asInteger(sequence) } }),
  };
}

/** The stored form of a subscriber. */
export type SubscriberKey = readonly [businessId: number, kind: string, id: number];

export function subscriberToFind(businessId: string, { kind, id }: Subscriber): SubscriberKey {
  return [idToFind(businessId), kind, idToFind(id)];
}

/** Reads the columns that the stores list as ATTEMPT_COLUMNS. */
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
