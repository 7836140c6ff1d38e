import type { Subscriber } from "../../events/event.js";
import type { Instant } from "../../kernel/clock.js";
import { type Announcement, payloadOf } from "../../signing/payload.js";
import { deadlineOf } from "../deliveries/retry-schedule.js";
import type { Delivery } from "../delivery.js";

export interface DeliveryDraft {
  readonly businessId: string;
  readonly id: string;
  readonly subscriber: Subscriber;
  readonly announcement: Announcement;
  readonly delaysSeconds: readonly number[];
}

/** A delivery that is due at `now`. All attempts send the body that is built here. */
export function newDelivery({ announcement, delaysSeconds, ...draft }: DeliveryDraft, now: Instant): Delivery {
  return {
    ...draft,
    eventId: announcement.id,
    eventType: announcement.type,
    body: payloadOf(announcement, draft.id),
    origin: announcement.origin ?? null,
    status: "pending",
    attempts: 0,
    attemptsSinceRestart: 0,
    nextAttemptAt: now,
    deadlineAt: deadlineOf(delaysSeconds, now),
    lease: null,
    responseCode: null,
    createdAt: now,
    updatedAt: now,
  };
}
