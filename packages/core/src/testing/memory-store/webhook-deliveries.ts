import type { Instant } from "../../kernel/clock.js";
import { type Delivery, isFinished, type Subscriber } from "../../webhooks/delivery.js";
import type { DeliveryQuery, WebhookStore } from "../../webhooks/webhook-store.js";
import type { OpenTables, Tables } from "./tables.js";

const LISTED_ATTEMPTS = 100;

type DeliveryMethods =
  | "cancelDeliveries"
  | "findDelivery"
  | "listDeliveries"
  | "listAttempts"
  | "restartDelivery"
  | "restartFailedSince"
  | "pruneDeliveries";

/** What people see of deliveries and do with them. */
export function memoryDeliveries(open: OpenTables): Pick<WebhookStore, DeliveryMethods> {
  return {
    cancelDeliveries: async (businessId, subscriber, now) => cancelUnfinished(open(), businessId, subscriber, now),

    findDelivery: async (businessId, id) => open().deliveries.find(businessId, id),

    listDeliveries: async (businessId, query) => {
      const found = open()
        .deliveries.of(businessId)
        .filter((delivery) => matches(delivery, query))
        .sort((a, b) => b.createdAt - a.createdAt || Number(b.id) - Number(a.id));
      const entries = found.slice(query.offset, query.offset + query.limit);
      return { entries, total: found.length, nextCursor: null };
    },

    listAttempts: async (businessId, deliveryId) => {
      const attempts = open().attempts.find(businessId, deliveryId) ?? [];
      return [...attempts].sort((a, b) => a.number - b.number).slice(-LISTED_ATTEMPTS);
    },

    restartDelivery: async (businessId, id, now, deadlineAt) => {
      const tables = open();
      const delivery = tables.deliveries.find(businessId, id);
      if (delivery === null || !isFinished(delivery.status)) return false;
      restart(tables, delivery, now, deadlineAt);
      return true;
    },

    restartFailedSince: async (businessId, subscriber, since, now, deadlineAt) => {
      const tables = open();
      const failed = deliveriesOf(tables, businessId, subscriber).filter(
        ({ status, createdAt, eventId }) => status === "failed" && createdAt >= since && eventId !== null,
      );
      for (const delivery of failed) restart(tables, delivery, now, deadlineAt);
      return failed.length;
    },

    pruneDeliveries: async (before, limit) => {
      const tables = open();
      return pruneFinished(tables, before, limit) + pruneEvents(tables, before, limit);
    },
  };
}

/** Cancels what is not finished of the subscriber, leased or not; gives how many. */
export function cancelUnfinished(tables: Tables, businessId: string, subscriber: Subscriber, now: Instant): number {
  const unfinished = deliveriesOf(tables, businessId, subscriber).filter(({ status }) => !isFinished(status));
  for (const delivery of unfinished) {
    const next = { ...delivery, status: "cancelled", nextAttemptAt: null, lease: null, updatedAt: now } as const;
    tables.deliveries.save(businessId, delivery.id, next);
  }
  return unfinished.length;
}

function deliveriesOf({ deliveries }: Tables, businessId: string, { kind, id }: Subscriber): Delivery[] {
  return deliveries.of(businessId).filter(({ subscriber }) => subscriber.kind === kind && subscriber.id === id);
}

function matches(delivery: Delivery, { subscriber, status, eventType }: DeliveryQuery): boolean {
  const isTheirs =
    subscriber === null || (delivery.subscriber.kind === subscriber.kind && delivery.subscriber.id === subscriber.id);
  return (
    isTheirs &&
    (status === null || delivery.status === status) &&
    (eventType === null || delivery.eventType === eventType)
  );
}

function restart({ deliveries }: Tables, delivery: Delivery, now: Instant, deadlineAt: Instant): void {
  deliveries.save(delivery.businessId, delivery.id, {
    ...delivery,
    status: "pending",
    attemptsInRound: 0,
    nextAttemptAt: now,
    deadlineAt,
    lease: null,
    updatedAt: now,
  });
}

function pruneFinished({ deliveries, attempts }: Tables, before: Instant, limit: number): number {
  const old = deliveries
    .all()
    .filter(({ status, updatedAt }) => isFinished(status) && updatedAt < before)
    .sort((a, b) => a.updatedAt - b.updatedAt)
    .slice(0, limit);
  for (const { businessId, id } of old) {
    deliveries.remove(businessId, id);
    attempts.remove(businessId, id);
  }
  return old.length;
}

function pruneEvents({ events, undispatched }: Tables, before: Instant, limit: number): number {
  const old = events
    .filter(({ sequence, occurredAt }) => !undispatched.has(sequence) && occurredAt < before)
    .sort((a, b) => a.occurredAt - b.occurredAt)
    .slice(0, limit);
  for (const event of old) events.splice(events.indexOf(event), 1);
  return old.length;
}
