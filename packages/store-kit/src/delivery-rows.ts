/** Rows of webhook deliveries and their attempts, read alike by the SQL stores, and what they count for the quota. */

import type { Origin } from "@budgetkit/core/store";
import {
  type Attempt,
  DELIVERY_STATUSES,
  type Delivery,
  EVENT_TYPES,
  type Lease,
  SUBSCRIBER_KINDS,
  type Subscriber,
} from "@budgetkit/core/store";
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

/** A body that the deliveries of an event share: head, id of the delivery and tail. */
export interface SharedBody {
  readonly head: string;
  readonly tail: string | null; // null = the head is the whole body
  readonly origin: string | null; // JSON
  readonly deliveries: readonly [Delivery, ...Delivery[]];
}

/** Groups deliveries by what their bodies have in common, in their order. */
export function shareBodies(deliveries: readonly Delivery[]): readonly SharedBody[] {
  const groups: (Omit<SharedBody, "deliveries"> & { readonly deliveries: [Delivery, ...Delivery[]] })[] = [];
  for (const delivery of deliveries) {
    const body = { ...splitBody(delivery), origin: orNull(delivery.origin, (origin) => JSON.stringify(origin)) };
    const group = groups.find(
      ({ head, tail, origin }) => head === body.head && tail === body.tail && origin === body.origin,
    );
    if (group === undefined) groups.push({ ...body, deliveries: [delivery] });
    else group.deliveries.push(delivery);
  }
  return groups;
}

function splitBody({ id, body }: Delivery): Pick<SharedBody, "head" | "tail"> {
  const member = `"delivery_id":"`;
  const at = body.lastIndexOf(`${member}${id}"`);
  if (at < 0) return { head: body, tail: null };
  const end = at + member.length;
  return { head: body.slice(0, end), tail: body.slice(end + id.length) };
}

/** Counted for each delivery beside its body: its row, its index entries, and this much of its attempts. */
export const DELIVERY_BYTES = 512;
export const FREE_ATTEMPT_BYTES = 256;

/** What new deliveries count for the quota of their business. A body counts once, however many share it. */
export function bytesOfDeliveries(bodies: readonly SharedBody[]): number {
  return bodies.reduce((sum, body) => sum + bytesOfBody(body) + DELIVERY_BYTES * body.deliveries.length, 0);
}

export function bytesOfBody({ head, tail, origin }: Pick<SharedBody, "head" | "tail" | "origin">): number {
  return Buffer.byteLength(head) + Buffer.byteLength(tail ?? "") + Buffer.byteLength(origin ?? "");
}

/** What the attempts of a delivery count beyond {@link DELIVERY_BYTES}. `bytes`: of {@link attemptText} of each, and commas. */
export function bytesOfAttempts(bytes: number): number {
  return Math.max(0, bytes - FREE_ATTEMPT_BYTES);
}

/** The stored form of an attempt: a list in JSON. */
export function attemptText({ number, startedAt, durationMs, responseCode, error, responseBody }: Attempt): string {
  return JSON.stringify([number, startedAt, durationMs, responseCode, error, responseBody]);
}
