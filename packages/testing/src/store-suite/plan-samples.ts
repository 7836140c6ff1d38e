import assert from "node:assert/strict";
import {
  type Committed,
  type DeliveryPlan,
  type DomainEvent,
  insertKeyCommit,
  namesOfSubscribers,
  type PlannedDelivery,
  type Store,
  type SubscriberVersion,
} from "@budgetkit/core/store";
import { anApiKey, anEvent, FIXTURE_TIME as NOW } from "../fixtures.js";
import { endpoint, subscribe } from "./webhook-samples.js";

/** An endpoint, and a key that has a URL. */
export const SUBSCRIBERS: readonly SubscriberVersion[] = [
  { kind: "endpoint", id: "6000", version: 1 },
  { kind: "key", id: "20", version: 1 },
];

export const ENDPOINT_ALONE = SUBSCRIBERS.slice(0, 1);

export function aPlanned(overrides: Partial<PlannedDelivery> = {}): PlannedDelivery {
  return {
    id: "70",
    eventId: "90",
    subscriber: endpoint("6000"),
    deadlineAt: NOW + 9,
    orderedSubject: null,
    lease: null,
    ...overrides,
  };
}

/** Events of a commit with the plan of their deliveries, for these subscribers. */
export interface Planned {
  readonly events: readonly DomainEvent[];
  readonly deliveries: DeliveryPlan;
}

/** An event, id 90, whose deliveries are planned for these subscribers. */
export function planned(
  subscribers: readonly SubscriberVersion[],
  deliveries: readonly PlannedDelivery[] = [aPlanned()],
  event: Partial<DomainEvent> = {},
): Planned {
  return { events: [anEventWithData(event)], deliveries: aPlan(subscribers, deliveries) };
}

export function aPlan(subscribers: readonly SubscriberVersion[], deliveries: readonly PlannedDelivery[]): DeliveryPlan {
  return { subscribers: namesOfSubscribers(subscribers), plannedAt: NOW, deliveries };
}

export function anEventWithData(overrides: Partial<DomainEvent>): DomainEvent {
  return anEvent({ data: { b: [1.5, "ñ"], a: { "": null } }, ...overrides });
}

export const withUrl = { webhookUrl: "https://receiver.example/hooks" };

export const aListing = { subscriber: null, status: null, eventType: null, limit: 100, offset: 0 };

/** The subscribers of {@link SUBSCRIBERS}. */
export async function subscribeAll(store: Store): Promise<void> {
  await subscribe(store, "1");
  await store.commit(insertKeyCommit(anApiKey(withUrl)));
}

/** The ids of the events that wait for their fan-out. */
export async function waitingIds(store: Store): Promise<string[]> {
  return (await store.findUndispatchedEvents(100)).map(({ id }) => id);
}

/** The deliveries that a written commit reports. */
export function madeBy(committed: Committed): unknown {
  assert.equal(committed.kind, "written");
  return committed.kind === "written" ? committed.made : null;
}

export async function storedBody(store: Store, id: string) {
  return { id, body: (await store.findDelivery("1", id))?.body };
}
