import type { EventType, Subscriber } from "../events/event.js";
import type { Origin } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";

/** Source: contract, Webhook delivery status, which names `delivered` alone. */
export const DELIVERY_STATUSES = ["pending", "retrying", "delivered", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** True when no attempt follows, unless the delivery is redelivered. */
export function isFinished(status: DeliveryStatus): boolean {
  return status === "delivered" || status === "failed" || status === "cancelled";
}

/**
 * One event for one subscriber. The body's bytes, the event's time and the id are identical in all attempts, so that
 * receivers can detect duplicates.
 */
export interface Delivery {
  readonly businessId: string;
  readonly id: string; // the contract's delivery_id
  readonly subscriber: Subscriber;
  readonly eventId: string | null; // null = a test
  readonly eventType: EventType;
  readonly body: string;
  readonly origin: Origin | null; // of the event; null = none recorded
  readonly status: DeliveryStatus;
  readonly attempts: number; // claimed so far, including attempts that a crash interrupted
  readonly attemptsSinceRestart: number; // the same since the last redelivery: the position in the schedule
  readonly nextAttemptAt: Instant | null; // null = no attempt follows, or it waits for its turn
  readonly deadlineAt: Instant; // no retry begins after this
  readonly lease: Lease | null; // null = not leased
  readonly responseCode: number | null; // of the last attempt; null = no attempt or no response
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly order?: DeliveryOrder; // absent = not ordered
}

/**
 * The place of a delivery among those of one subject to one subscriber. Such a delivery waits, without a time of its next
 * attempt, until its turn: see `claimDue` of the store.
 */
export interface DeliveryOrder {
  readonly subject: string; // as "budget 70"
  readonly sequence: number; // of the event
}

/** Only the holder may settle the attempt. Another dispatcher may claim the delivery after the lease expires. */
export interface Lease {
  readonly token: string; // fencing token
  readonly until: Instant;
}

/** One call of a receiver and its result. */
export interface Attempt {
  readonly businessId: string;
  readonly deliveryId: string;
  readonly number: number; // from 1
  readonly startedAt: Instant;
  readonly durationMs: number;
  readonly responseCode: number | null; // null = no response
  readonly responseBody: string | null; // at most 4 KiB; null = no response
  readonly error: string | null; // null = the receiver responded
}

/** How many attempts of a delivery are listed: the latest ones. */
export const MAX_LISTED_ATTEMPTS = 100;
