import type { Delivery } from "../delivery.js";
import type { Concurrency } from "../webhook-context.js";
import type { InFlightCalls } from "../webhook-store.js";

/** The slots of the calls in flight. `take` does not check the limits: the caller keeps to them. */
export interface ConcurrencySlots {
  /** Slots in use. */
  count(): number;
  /** Slots in use by subscriber. */
  inFlight(): readonly InFlightCalls[];
  /** Takes a slot; the result frees it, and does nothing when it is called again. */
  take(delivery: Delivery): () => void;
  /** True when the limits leave a slot for the delivery. */
  hasRoomFor(delivery: Delivery): boolean;
}

export function createConcurrencySlots({ total, perBusiness, perSubscriber }: Concurrency): ConcurrencySlots {
  const bySubscriber = new Map<string, InFlightCalls>();
  let used = 0;

  function add(delivery: Delivery, change: 1 | -1): void {
    const { businessId, subscriber } = delivery;
    const name = nameOf(delivery);
    const calls = (bySubscriber.get(name)?.calls ?? 0) + change;
    used += change;
    if (calls === 0) bySubscriber.delete(name);
    else bySubscriber.set(name, { businessId, subscriber, calls });
  }

  return {
    count: () => used,
    inFlight: () => [...bySubscriber.values()],
    take: (delivery) => {
      let isTaken = true;
      add(delivery, 1);
      return () => {
        if (isTaken) add(delivery, -1);
        isTaken = false;
      };
    },
    hasRoomFor: (delivery) =>
      used < total &&
      (bySubscriber.get(nameOf(delivery))?.calls ?? 0) < perSubscriber &&
      (callsByBusiness([...bySubscriber.values()]).get(delivery.businessId) ?? 0) < perBusiness,
  };
}

/**
 * True when a claim may have reached the share of a subscriber or a business, so that further deliveries of it may be
 * due. `inFlight` are the calls in flight before the claim, `claimed` its result.
 */
export function reachesShare(
  inFlight: readonly InFlightCalls[],
  claimed: readonly Delivery[],
  { perBusiness, perSubscriber }: Concurrency,
): boolean {
  const bySubscriber = new Map(inFlight.map((each) => [nameOf(each), each]));
  for (const { businessId, subscriber } of claimed) {
    const name = nameOf({ businessId, subscriber });
    bySubscriber.set(name, { businessId, subscriber, calls: (bySubscriber.get(name)?.calls ?? 0) + 1 });
  }
  const all = [...bySubscriber.values()];
  return (
    all.some(({ calls }) => calls >= perSubscriber) ||
    [...callsByBusiness(all).values()].some((calls) => calls >= perBusiness)
  );
}

function callsByBusiness(inFlight: readonly InFlightCalls[]): ReadonlyMap<string, number> {
  const totals = new Map<string, number>();
  for (const { businessId, calls } of inFlight) totals.set(businessId, (totals.get(businessId) ?? 0) + calls);
  return totals;
}

function nameOf({ businessId, subscriber }: Pick<Delivery, "businessId" | "subscriber">): string {
  return `${businessId} ${subscriber.kind} ${subscriber.id}`;
}
