import assert from "node:assert/strict";
import {
  type Delivery,
  type DueClaim,
  type InFlightCalls,
  insertBudgetCommit,
  insertEndpointCommit,
  type Lease,
  MINUTE_MS,
  type Settlement,
  type Store,
  type StoredEvent,
  type Subscriber,
  testDeliveryCommit,
} from "@budgetkit/core/store";
import { aBudget, anEvent, FIXTURE_BUSINESS, FIXTURE_TIME as NOW } from "../fixtures.js";
import { aDelivery, anAttempt, anEndpoint } from "../webhook-fixtures.js";

/** A moment at which the lease of {@link aLease} has lapsed. */
export const LAPSED = NOW + MINUTE_MS;

export function aLease(id = "lease-1", from = NOW): Lease {
  return { token: id, until: from + MINUTE_MS };
}

/** A claim of all deliveries that are due at {@link NOW}. */
export function aDueClaim(overrides: Partial<DueClaim> = {}): DueClaim {
  return { lease: aLease(), now: NOW, limit: 100, perBusiness: 100, perSubscriber: 100, inFlight: [], ...overrides };
}

/** The end of the first attempt of `aDelivery`, under the lease of {@link aDueClaim}. */
export function aSettlement(overrides: Partial<Settlement> = {}): Settlement {
  return {
    businessId: FIXTURE_BUSINESS,
    deliveryId: "70",
    fencingToken: "lease-1",
    attempt: anAttempt(),
    refundedAttempts: 0,
    status: "delivered",
    nextAttemptAt: null,
    now: NOW + 1_000,
    ...overrides,
  };
}

/** A settlement after which the delivery waits for its next attempt. */
export function aRetry(nextAttemptAt: number, overrides: Partial<Settlement> = {}): Settlement {
  return aSettlement({ status: "retrying", nextAttemptAt, ...overrides });
}

export function endpoint(id: string): Subscriber {
  return { kind: "endpoint", id };
}

/** The concurrency slots in use by the claiming worker. */
export function busy(businessId: string, subscriber: Subscriber, calls: number): InFlightCalls {
  return { businessId, subscriber, calls };
}

/** Claims what is due and gives the ids, in the order given. */
export async function claimIds(store: Store, overrides: Partial<DueClaim> = {}): Promise<string[]> {
  return (await store.claimDue(aDueClaim(overrides))).map((delivery) => delivery.id);
}

/** Adds deliveries, one for each of the overrides. */
export async function add(store: Store, ...overrides: readonly Partial<Delivery>[]): Promise<void> {
  for (const each of overrides) await store.commit(testDeliveryCommit(aDelivery(each)));
}

/** Adds `aDelivery` and brings it to an end in one attempt. */
export async function addFinished(
  store: Store,
  status: "delivered" | "failed" | "cancelled",
  overrides: Partial<Delivery> = {},
): Promise<void> {
  const { id, businessId } = aDelivery(overrides);
  const lease = aLease("the finisher's");
  await add(store, { ...overrides, attempts: 1, attemptsSinceRestart: 1, lease });
  const attempt = anAttempt({ businessId, deliveryId: id });
  const end = aSettlement({ businessId, deliveryId: id, fencingToken: lease.token, attempt, status });
  assert.equal(await store.settle(end), "written");
}

/** Adds an endpoint that gets every event of each business: without a subscriber, events wait for no fan-out. */
export async function subscribe(store: Store, ...businesses: readonly string[]): Promise<void> {
  for (const businessId of businesses) await store.commit(insertEndpointCommit(anEndpoint({ businessId, id: "6000" })));
}

/** Commits a budget with one event each, to a subscriber, and gives the events as the outbox holds them. */
export async function commitEvents(
  store: Store,
  ids: readonly string[],
  overrides: Parameters<typeof anEvent>[0] = {},
): Promise<readonly StoredEvent[]> {
  const { businessId } = anEvent(overrides);
  if ((await store.findEndpoint(businessId, "6000")) === null) await subscribe(store, businessId);
  for (const id of ids) {
    const event = anEvent({ ...overrides, id, subjectId: id });
    await store.commit(insertBudgetCommit(aBudget({ businessId: event.businessId, id }), { events: [event] }));
  }
  return (await store.findUndispatchedEvents(100)).filter((event) => ids.includes(event.id));
}
