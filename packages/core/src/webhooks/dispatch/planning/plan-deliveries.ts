import { type DeliveryPlan, namesOfSubscribers, type PlannedDelivery } from "../../../commit/delivery-plan.js";
import type { DomainEvent } from "../../../events/event.js";
import { at } from "../../../kernel/arrays.js";
import type { Instant } from "../../../kernel/clock.js";
import { deadlineOf } from "../../deliveries/retry-schedule.js";
import { type Recipient, subscribersOf } from "../../deliveries/subscription.js";
import type { Lease } from "../../delivery.js";
import type { Subscribers } from "../../webhook-store.js";
import { orderedSubjectOf } from "../new-delivery.js";

/** A subscriber that gets an event of a commit. */
export interface EventRecipient extends Recipient {
  readonly event: DomainEvent;
}

/** Who gets the events of a commit, in the order of the events. */
export function recipientsOf(
  events: readonly DomainEvent[],
  subscribers: Subscribers,
  now: Instant,
): readonly EventRecipient[] {
  return events.flatMap((event) =>
    subscribersOf(event, subscribers, now).map((recipient) => ({ ...recipient, event })),
  );
}

/** What the process gives to the deliveries of a plan: one entry for each recipient, in their order. */
export interface Allotment {
  readonly plannedAt: Instant;
  readonly ids: readonly string[];
  readonly leases: readonly (Lease | null)[]; // null = no slot: a claim takes the delivery
}

/** The plan of a commit: the deliveries to its recipients, which are some of the subscribers of the business. */
export function planDeliveries(
  recipients: readonly EventRecipient[],
  { endpoints, keys }: Subscribers,
  { plannedAt, ids, leases }: Allotment,
): DeliveryPlan {
  const subscribers = namesOfSubscribers([
    ...endpoints.map(({ id, version }) => ({ kind: "endpoint", id, version }) as const),
    ...keys.map(({ id, version }) => ({ kind: "key", id, version }) as const),
  ]);
  const deliveries = recipients.map(
    ({ event, subscriber, delaysSeconds, isOrdered }, index): PlannedDelivery => ({
      id: at(ids, index),
      eventId: event.id,
      subscriber,
      deadlineAt: deadlineOf(delaysSeconds, plannedAt),
      orderedSubject: isOrdered ? orderedSubjectOf(event) : null,
      lease: leases[index] ?? null,
    }),
  );
  return { subscribers, plannedAt, deliveries };
}
