import type { Subscriber } from "../../events/event.js";
import type { Instant } from "../../kernel/clock.js";
import { type Announcement, payloadWriter } from "../../signing/payload.js";
import { deadlineOf } from "../deliveries/retry-schedule.js";
import type { Delivery, DeliveryOrder } from "../delivery.js";

export interface DeliveryDraft {
  readonly businessId: string;
  readonly id: string;
  readonly subscriber: Subscriber;
  readonly announcement: Announcement;
  readonly delaysSeconds: readonly number[];
  readonly order?: DeliveryOrder; // absent = not ordered
}

/** A delivery that is due at `now`; an ordered one waits for its turn. All attempts send the body that `write` makes of the announcement here. */
export function newDelivery(
  { businessId, id, subscriber, announcement, delaysSeconds, order }: DeliveryDraft,
  now: Instant,
  write = payloadWriter(announcement),
): Delivery {
  return {
    businessId,
    id,
    subscriber,
    eventId: announcement.id,
    eventType: announcement.type,
    body: write(id),
    origin: announcement.origin ?? null,
    status: "pending",
    attempts: 0,
    attemptsSinceRestart: 0,
    nextAttemptAt: order === undefined ? now : null,
    deadlineAt: deadlineOf(delaysSeconds, now),
    lease: null,
    responseCode: null,
    createdAt: now,
    updatedAt: now,
    ...(order === undefined ? {} : { order }),
  };
}
