import type { StoredEvent } from "../events/event.js";
import { at } from "../kernel/at.js";
import { newDelivery } from "./new-delivery.js";
import { subscribersOf } from "./subscription.js";
import type { WebhookContext } from "./webhook-context.js";
import type { Subscribers } from "./webhook-store.js";

/** What became of a batch of events. */
export interface FanOut {
  readonly found: number; // events that waited
  readonly written: number; // those of them that this call fanned out
}

/**
 * Turns events that wait, the oldest `limit` of them, into one delivery for each subscriber. Other dispatchers may do
 * the same at the same time: each event is fanned out once. One that fails is reported and tried again next time, and
 * keeps no other one waiting.
 */
export async function fanOutEvents(context: WebhookContext, limit: number): Promise<FanOut> {
  const events = await context.store.findUndispatchedEvents(limit);
  const subscribers = new Map<string, Promise<Subscribers>>();
  const outcomes = await Promise.all(
    events.map((event) => {
      const known = subscribers.get(event.businessId) ?? context.store.findSubscribers(event.businessId);
      subscribers.set(event.businessId, known);
      return fanOutEvent(context, event, known).catch((error: unknown) => {
        context.onError(error);
        return "failed" as const;
      });
    }),
  );
  return { found: events.length, written: outcomes.filter((outcome) => outcome === "written").length };
}

async function fanOutEvent(
  context: WebhookContext,
  event: StoredEvent,
  subscribers: Promise<Subscribers>,
): Promise<"written" | "taken"> {
  const now = context.clock.now();
  const recipients = subscribersOf(event.type, await subscribers, now);
  const ids = await context.ids.take(recipients.length);
  const { businessId } = event;
  const deliveries = recipients.map((recipient, index) =>
    newDelivery({ ...recipient, businessId, id: at(ids, index), announcement: event }, now),
  );
  return context.store.fanOut(event, deliveries);
}
