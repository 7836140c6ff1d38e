import {
  type Attempt,
  DELIVERY_STATUSES,
  type Delivery,
  EVENT_TYPES,
  type Lease,
  type Origin,
  type Settlement,
  SUBSCRIBER_KINDS,
  type Subscriber,
} from "@budgetkit/core/store";
import { idToFind, idToWrite } from "./ids.js";
import { asDocument, asInteger, asOneOf, asText, orNull, type Row } from "./rows.js";

/** Everything of a delivery but its body and origin, as it is stored. */
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

/** What {@link deliveryArgument} gives, for `jsonb_to_recordset`. */
export const DELIVERY_ARGUMENT = columnsOf({ ...DELIVERY_TYPES, body: "text", origin: "text" });

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

const ATTEMPT_TYPES = {
  attempt_number: "integer", // null = the receiver was not called
  started_at: "bigint",
  duration_ms: "bigint",
  response_code: "integer",
  error: "text",
  response_body: "text",
};

const SETTLEMENT_TYPES = {
  business_id: "bigint",
  id: "bigint",
  lease_id: "text",
  taken_back: "integer",
  status: "text",
  next_attempt_at: "bigint",
  settled_at: "bigint",
  clock: "text",
  ...ATTEMPT_TYPES,
};

/** What {@link settlementArgument} gives, for `jsonb_to_recordset`. */
export const SETTLEMENT_ARGUMENT = columnsOf(SETTLEMENT_TYPES);
export const SETTLEMENT_COLUMNS = Object.keys(SETTLEMENT_TYPES).join(", ");

/** Its ids need not be any: it is written only where the delivery that they name was found. */
export function settlementArgument(settlement: Settlement) {
  const { businessId, deliveryId, leaseId, attempt, takenBack, status, nextAttemptAt, now } = settlement;
  return {
    business_id: idToFind(businessId),
    id: idToFind(deliveryId),
    lease_id: leaseId,
    taken_back: attempt === null ? takenBack : 0,
    status,
    next_attempt_at: nextAttemptAt,
    settled_at: now,
    attempt_number: attempt?.number ?? null,
    started_at: attempt?.startedAt ?? null,
    duration_ms: attempt?.durationMs ?? null,
    response_code: attempt?.responseCode ?? null,
    error: attempt?.error ?? null,
    response_body: attempt?.responseBody ?? null,
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

function columnsOf(types: Readonly<Record<string, string>>): string {
  return Object.entries(types)
    .map(([name, type]) => `${name} ${type}`)
    .join(", ");
}
