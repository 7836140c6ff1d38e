import { type Attempt, type Delivery, MAX_LISTED_ATTEMPTS } from "@budgetkit/core/store";
import { asAttempt, asDocument, attemptText, bytesOfAttempts, idToWrite, type Row } from "@budgetkit/store-kit";
import type { SqlValue } from "../engine/connection.js";

const IDENTITY =
  "business_id, id, subscriber_kind, subscriber_id, event_id, event_type, status, attempts, attempts_in_round";

/** The columns of a waiting delivery, in the order of {@link queueValuesOf}. */
export const QUEUE_COLUMNS = `${IDENTITY}, next_attempt_at, deadline_at, lease_id, lease_until, response_code,
  created_at, updated_at, ordered_subject, ordered_sequence, payload_id, trail`;

/** A finished delivery has neither a lease nor a next attempt. */
const LOG_AS_QUEUE = `${IDENTITY}, NULL, deadline_at, NULL, NULL, response_code, created_at, updated_at,
  ordered_subject, ordered_sequence, payload_id, trail`;

/** Later than every time. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** Queue and log as one relation. */
export const DELIVERIES = `(
  SELECT ${QUEUE_COLUMNS} FROM budgetkit_delivery_queue
  UNION ALL SELECT ${LOG_AS_QUEUE} FROM budgetkit_delivery_log
)`;

/** The columns of a delivery for `asDelivery`, of a table by this name. */
export function wholeDelivery(table: string): string {
  const ofPayload = (sql: string) => `(
    SELECT ${sql} FROM budgetkit_payloads AS payloads WHERE payloads.id = ${table}.payload_id
  )`;
  return `${IDENTITY}, next_attempt_at, deadline_at, lease_id, lease_until, response_code, created_at, updated_at,
    ${ofPayload(`coalesce(head || ${table}.id || tail, head)`)}, ${ofPayload("origin")},
    ordered_subject, ordered_sequence`;
}

/** Throws a RangeError for an id that cannot be one. */
export function queueValuesOf(delivery: Delivery): SqlValue[] {
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
    delivery.order?.subject ?? null,
    delivery.order?.sequence ?? null,
  ];
}

/** Throws an Error when the number of the attempt is taken. */
export function withAttempt(trail: string | null, attempt: Attempt): string {
  const earlier = entriesOf(trail);
  if (earlier.some(([other]) => other === attempt.number)) {
    throw new Error(
      `duplicate attempt ${attempt.number} of delivery ${attempt.deliveryId} in business ${attempt.businessId}`,
    );
  }
  const kept = earlier.slice(-MAX_LISTED_ATTEMPTS + 1).map((entry) => JSON.stringify(entry));
  return `[${[...kept, attemptText(attempt)].join(",")}]`;
}

/** What the attempts of a delivery count for the quota. The brackets around them do not count. */
export function bytesOfTrail(trail: string | null): number {
  return trail === null ? 0 : bytesOfAttempts(Buffer.byteLength(trail) - 2);
}

/** The attempts of a delivery, whose stored ids these are. */
export function attemptsOf(businessId: number, deliveryId: number, trail: string | null): readonly Attempt[] {
  return entriesOf(trail).map((entry) => asAttempt([businessId, deliveryId, ...entry]));
}

function entriesOf(trail: string | null): readonly Row[] {
  return trail === null ? [] : asDocument<readonly Row[]>(trail);
}
