import {
  type Delivery,
  type DeliveryCursor,
  type DeliveryQuery,
  type Instant,
  isFinished,
  MAX_LISTED_ATTEMPTS,
  type Subscriber,
  type WebhookStore,
} from "@budgetkit/core/store";
import { DELIVERY_BYTES } from "@budgetkit/store-kit";
import { appendAuditEntry } from "./events.js";
import { countUse } from "./storage-use.js";
import type { OpenTables, Tables } from "./tables.js";
import { bytesOfMade } from "./webhook-dispatch.js";

type DeliveryMethods =
  | "cancelDeliveries"
  | "findDelivery"
  | "listDeliveries"
  | "listAttempts"
  | "redeliver"
  | "redeliverUndelivered"
  | "pruneDeliveries";

export function memoryDeliveries(open: OpenTables): Pick<WebhookStore, DeliveryMethods> {
  return {
    cancelDeliveries: async (businessId, subscriber, now, limit) => {
      const tables = open();
      const unfinished = deliveriesOf(tables, businessId, subscriber)
        .filter(({ status }) => !isFinished(status))
        .slice(0, limit);
      for (const delivery of unfinished) {
        const next = { ...delivery, status: "cancelled", nextAttemptAt: null, lease: null, updatedAt: now } as const;
        tables.deliveries.save(businessId, delivery.id, next);
      }
      return unfinished.length;
    },

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
      return [...attempts].sort((a, b) => a.number - b.number).slice(-MAX_LISTED_ATTEMPTS);
    },

    redeliver: async (businessId, id, now, deadlineAt, audit = null) => {
      const tables = open();
      const delivery = tables.deliveries.find(businessId, id);
      if (delivery === null || !isFinished(delivery.status)) return false;
      restart(tables, delivery, now, deadlineAt);
      appendAuditEntry(tables, audit);
      return true;
    },

    redeliverUndelivered: async (businessId, { subscriber, after, now, deadlineAt, limit, audit = null }) => {
      const tables = open();
      const undelivered = deliveriesOf(tables, businessId, subscriber)
        .filter(({ status, eventId }) => (status === "failed" || status === "cancelled") && eventId !== null)
        .filter((delivery) => compareCursors(delivery, after) > 0)
        .sort(compareCursors)
        .slice(0, limit);
      for (const delivery of undelivered) restart(tables, delivery, now, deadlineAt);
      if (undelivered.length > 0) appendAuditEntry(tables, audit);
      return undelivered.map(({ createdAt, id }) => ({ createdAt, id }));
    },

    pruneDeliveries: async (before, limit) => {
      const tables = open();
      return pruneFinished(tables, before, limit);
    },
  };
}

function compareCursors(a: DeliveryCursor, b: DeliveryCursor): number {
  return a.createdAt - b.createdAt || Number(a.id) - Number(b.id);
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
    attemptsSinceRestart: 0,
    nextAttemptAt: delivery.order === undefined ? now : null,
    deadlineAt,
    lease: null,
    updatedAt: now,
  });
}

function pruneFinished(tables: Tables, before: Instant, limit: number): number {
  const { deliveries, attempts } = tables;
  const old = deliveries
    .all()
    .filter(({ status, updatedAt }) => isFinished(status) && updatedAt < before)
    .sort((a, b) => a.updatedAt - b.updatedAt)
    .slice(0, limit);
  for (const { businessId, id } of old) {
    const ofAttempts = bytesOfMade(attempts.find(businessId, id) ?? []);
    countUse(tables, businessId, { deliveryBytes: -DELIVERY_BYTES - ofAttempts });
    leaveBody(tables, businessId, id);
    deliveries.remove(businessId, id);
    attempts.remove(businessId, id);
  }
  return old.length;
}

function leaveBody(tables: Tables, businessId: string, id: string): void {
  const first = tables.bodyOf.find(businessId, id);
  const body = first === null ? null : tables.bodies.find(businessId, first);
  if (first === null || body === null) return;
  tables.bodyOf.remove(businessId, id);
  if (body.deliveries > 1) {
    tables.bodies.save(businessId, first, { ...body, deliveries: body.deliveries - 1 });
    return;
  }
  tables.bodies.remove(businessId, first);
  countUse(tables, businessId, { deliveryBytes: -body.bytes });
}
