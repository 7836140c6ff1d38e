import type { DeliveryPlan, PlannedDelivery } from "../../commit/delivery-plan.js";
import type { DomainEvent, StoredEvent } from "../../events/event.js";
import { at } from "../../kernel/arrays.js";
import type { Instant } from "../../kernel/clock.js";
import { payloadOf, payloadWriter } from "../../signing/payload.js";
import type { Delivery } from "../delivery.js";

/** The deliveries of an event in a plan, once the commit has given the event its place. */
export function plannedDeliveries(event: StoredEvent, { plannedAt, deliveries }: DeliveryPlan): readonly Delivery[] {
  const ofEvent = deliveries.filter(({ eventId }) => eventId === event.id);
  if (ofEvent.length === 0) return [];
  const write = payloadWriter(event);
  return ofEvent.map((planned) => {
    const delivery = plannedDelivery(event, planned, plannedAt, write(planned.id));
    const { orderedSubject: subject } = planned;
    return subject === null ? delivery : { ...delivery, order: { subject, sequence: event.sequence } };
  });
}

/** A planned delivery as its commit makes it; an ordered one has its order besides. */
export function plannedDelivery(
  { businessId, id: eventId, type: eventType, origin }: DomainEvent,
  { id, subscriber, deadlineAt, orderedSubject, lease }: PlannedDelivery,
  plannedAt: Instant,
  body: string,
): Delivery {
  const attempts = lease === null ? 0 : 1;
  return {
    businessId,
    id,
    subscriber,
    eventId,
    eventType,
    body,
    origin: origin ?? null,
    status: "pending",
    attempts,
    attemptsSinceRestart: attempts,
    nextAttemptAt: orderedSubject === null ? plannedAt : null,
    deadlineAt,
    lease,
    responseCode: null,
    createdAt: plannedAt,
    updatedAt: plannedAt,
  };
}

const AROUND_VALUES = /^(.*?"data":)\{\}(.*?"delivery_id":")(".*?"sequence":)0(,"revision":)0(.*)$/;

/**
 * The texts around the data, the delivery's id, the event's sequence and its revision in a payload: five, for a store that
 * joins them by itself. The data have to be canonical JSON.
 */
export function textsOfPayload(event: DomainEvent): readonly string[] {
  const [, ...texts] = AROUND_VALUES.exec(payloadOf({ ...event, data: {}, sequence: 0, revision: 0 }, "")) ?? [];
  at(texts, 4);
  return texts;
}
