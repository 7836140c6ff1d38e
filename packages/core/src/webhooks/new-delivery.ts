import type { Instant } from "../kernel/clock.js";
import type { Delivery, Subscriber } from "./delivery.js";
import { type Announcement, payloadOf } from "./payload.js";
import { deadlineOf } from "./retry-schedule.js";

/** What a delivery is made from. */
export interface DeliveryDraft {
  readonly businessId: string;
  readonly id: string;
  readonly subscriber: Subscriber;
  readonly announcement: Announcement;
  readonly delaysSeconds: readonly number[];
}

/** A delivery that is due at once. Its body is written here, once and for all attempts. */
export function newDelivery({ announcement, delaysSeconds, ...draft }: DeliveryDraft, now: Instant): Delivery {
  return {
    ...draft,
    eventId: announcement.id,
    eventType: announcement.type,
    body: payloadOf(announcement, draft.id),
    origin: announcement.origin ?? null,
    status: "pending",
    attempts: 0,
    attemptsInRound: 0,
    nextAttemptAt: now,
    deadlineAt: deadlineOf(delaysSeconds, now),
    lease: null,
    responseCode: null,
    createdAt: now,
    updatedAt: now,
  };
}
