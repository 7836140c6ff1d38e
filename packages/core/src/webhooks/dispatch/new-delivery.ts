import { type DomainEvent, type StoredEvent, type Subscriber, subjectKindOf } from "../../events/event.js";
import { at } from "../../kernel/arrays.js";
import type { Instant } from "../../kernel/clock.js";
import { type Announcement, payloadWriter } from "../../signing/payload.js";
import { deadlineOf } from "../deliveries/retry-schedule.js";
import { subscribersOf } from "../deliveries/subscription.js";
import type { Delivery, DeliveryOrder } from "../delivery.js";
import type { WebhookContext } from "../webhook-context.js";
import type { Subscribers } from "../webhook-store.js";

export interface DeliveryDraft {
  readonly businessId: string;
  readonly id: string;
  readonly subscriber: Subscriber;
  readonly announcement: Announcement;
  readonly delaysSeconds: readonly number[];
  readonly order?: DeliveryOrder; // absent = not ordered
}

/**
 * A delivery that is due at `now`; an ordered one waits for its turn. All attempts send the body that `write` makes of the
 * announcement here.
 */
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

/** The deliveries of an event, with new ids, for those of the subscribers that get it. */
export async function newDeliveries(
  { clock, ids }: Pick<WebhookContext, "clock" | "ids">,
  event: StoredEvent,
  subscribers: Subscribers,
  write = payloadWriter(event),
): Promise<readonly Delivery[]> {
  const { businessId } = event;
  const now = clock.now();
  const recipients = subscribersOf(event, subscribers, now);
  const newIds = await ids.take(businessId, recipients.length);
  const order = orderOf(event);
  return recipients.map(({ subscriber, delaysSeconds, isOrdered }, index) => {
    const draft = { subscriber, delaysSeconds, businessId, id: at(newIds, index), announcement: event };
    return newDelivery(isOrdered ? { ...draft, order } : draft, now, write);
  });
}

export function orderOf(event: StoredEvent): DeliveryOrder {
  return { subject: orderedSubjectOf(event), sequence: event.sequence };
}

/** The subject of an event with its kind, as "budget 70": ids of two kinds may be equal. */
export function orderedSubjectOf({ type, subjectId }: Pick<DomainEvent, "type" | "subjectId">): string {
  return `${subjectKindOf(type)} ${subjectId}`;
}
