import type { Subscriber } from "../../events/event.js";
import type { Instant } from "../../kernel/clock.js";
import type { DueClaim } from "../webhook-store.js";

/** A delivery that a claim may take. */
export interface DueDelivery {
  readonly businessId: string;
  readonly subscriber: Subscriber;
  readonly id: string;
  readonly dueAt: Instant;
}

/** The concurrency slots of a claim, less the calls in flight. Never below 0. */
export interface FreeSlots {
  readonly busyBusinesses: readonly string[]; // with calls in flight
  readonly fullSubscribers: number; // how many subscribers have no free slot
  callsOf(businessId: string): number;
  ofBusiness(businessId: string): number;
  ofSubscriber(businessId: string, subscriber: Subscriber): number;
}

export function freeSlots({ perBusiness, perSubscriber, inFlight }: DueClaim): FreeSlots {
  const ofBusinesses = new Map<string, number>();
  const ofSubscribers = new Map<string, number>();
  for (const { businessId, subscriber, calls } of inFlight) {
    add(ofBusinesses, businessId, calls);
    add(ofSubscribers, nameOf(businessId, subscriber), calls);
  }
  const callsOf = (businessId: string) => ofBusinesses.get(businessId) ?? 0;
  return {
    busyBusinesses: [...ofBusinesses.keys()],
    fullSubscribers: [...ofSubscribers.values()].filter((calls) => calls >= perSubscriber).length,
    callsOf,
    ofBusiness: (businessId) => Math.max(0, perBusiness - callsOf(businessId)),
    ofSubscriber: (businessId, subscriber) =>
      Math.max(0, perSubscriber - (ofSubscribers.get(nameOf(businessId, subscriber)) ?? 0)),
  };
}

/**
 * The deliveries that a claim takes of those that are due, longest due first.
 *
 * A slot goes to the business with the fewest calls, including those of this claim, and then to the delivery that is
 * longest due: a backlog of one business does not delay another. No business and no subscriber exceeds its free slots.
 */
export function chooseFairly<D extends DueDelivery>(
  due: readonly D[],
  limit: number,
  slots: Pick<FreeSlots, "callsOf" | "ofBusiness" | "ofSubscriber">,
): readonly D[] {
  const ofBusinesses = new Map<string, number>();
  const ofSubscribers = new Map<string, number>();
  return [...due]
    .sort(longestDueFirst)
    .flatMap((delivery) => {
      const { businessId, subscriber } = delivery;
      const name = nameOf(businessId, subscriber);
      if ((ofSubscribers.get(name) ?? 0) >= slots.ofSubscriber(businessId, subscriber)) return [];
      if ((ofBusinesses.get(businessId) ?? 0) >= slots.ofBusiness(businessId)) return [];
      add(ofSubscribers, name, 1);
      return [{ delivery, calls: slots.callsOf(businessId) + add(ofBusinesses, businessId, 1) }];
    })
    .sort((a, b) => a.calls - b.calls) // a stable sort: equal calls stay longest due first
    .slice(0, limit)
    .map(({ delivery }) => delivery)
    .sort(longestDueFirst);
}

function longestDueFirst(a: DueDelivery, b: DueDelivery): number {
  return a.dueAt - b.dueAt || Number(a.id) - Number(b.id);
}

function nameOf(businessId: string, { kind, id }: Subscriber): string {
  return `${businessId} ${kind} ${id}`;
}

function add(counts: Map<string, number>, name: string, count: number): number {
  const sum = (counts.get(name) ?? 0) + count;
  counts.set(name, sum);
  return sum;
}
