import type { DeliveryPlan } from "../../commit/delivery-plan.js";
import type { DomainEvent, StoredEvent } from "../../events/event.js";
import { at } from "../../kernel/arrays.js";
import { payloadOf, payloadWriter } from "../../signing/payload.js";
import type { Delivery } from "../delivery.js";

/** The deliveries of an event in a plan, once the commit has given the event its place. */
export function plannedDeliveries(event: StoredEvent, { plannedAt, deliveries }: DeliveryPlan): readonly Delivery[] {
  const { businessId, id: eventId, type: eventType, sequence, origin = null } = event;
  const write = payloadWriter(event);
  const ofEvent = deliveries.filter((delivery) => delivery.eventId === eventId);
  return ofEvent.map(({ id, subscriber, deadlineAt, orderedSubject, lease }) => {
    const attempts = lease === null ? 0 : 1;
    return {
      businessId,
      id,
      subscriber,
      eventId,
      eventType,
      body: write(id),
      origin,
      status: "pending",
      attempts,
      attemptsSinceRestart: attempts,
      nextAttemptAt: orderedSubject === null ? plannedAt : null,
      deadlineAt,
      lease,
      responseCode: null,
      createdAt: plannedAt,
      updatedAt: plannedAt,
      ...(orderedSubject === null ? {} : { order: { subject: orderedSubject, sequence } }),
    };
  });
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
