import type { EventType } from "../events/event.js";
import type { Instant } from "../kernel/clock.js";
import type { Origin } from "../kernel/origin.js";

/** Source: contract, Webhook delivery status, which names `delivered` alone. */
export const DELIVERY_STATUSES = ["pending", "retrying", "delivered", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** True when no attempt follows any more, unless the delivery is begun anew. */
export function isFinished(status: DeliveryStatus): boolean {
  return status === "delivered" || status === "failed" || status === "cancelled";
}

export const SUBSCRIBER_KINDS = ["key", "endpoint"] as const;

/** Who is sent an event: an API key with a webhookUrl, or a webhook endpoint. */
export interface Subscriber {
  readonly kind: (typeof SUBSCRIBER_KINDS)[number];
  readonly id: string;
}

/**
 * One event on its way to one subscriber. `body` is made once: its bytes, the event's time and the id never change
 * between attempts, so that receivers can tell a duplicate.
 */
export interface Delivery {
  readonly businessId: string;
  readonly id: string; // the contract's delivery_id
  readonly subscriber: Subscriber;
  readonly eventId: string | null; // null = a test
  readonly eventType: EventType;
  readonly body: string;
  readonly origin: Origin | null; // of the event, written once as the body is; null = nothing that was told
  readonly status: DeliveryStatus;
  readonly attempts: number; // claimed so far; one that a crash cut off counts
  readonly attemptsInRound: number; // the same since it was last begun anew by a retry: the place in the schedule
  readonly nextAttemptAt: Instant | null; // null = none is due any more
  readonly deadlineAt: Instant; // no retry begins after this
  readonly lease: Lease | null; // null = nobody is at it
  readonly responseCode: number | null; // of the last attempt; null = none, or no answer came
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** Whoever holds the lease alone may settle the attempt; one that has lapsed is taken over. */
export interface Lease {
  readonly id: string;
  readonly until: Instant;
}

/** One call of a receiver and what came of it. */
export interface Attempt {
  readonly businessId: string;
  readonly deliveryId: string;
  readonly number: number; // from 1
  readonly startedAt: Instant;
  readonly durationMs: number;
  readonly responseCode: number | null; // null = no answer came
  readonly responseBody: string | null; // at most 4 KiB of it
  readonly error: string | null; // null = the receiver answered
}
