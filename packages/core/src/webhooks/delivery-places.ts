import type { Delivery } from "./delivery.js";
import type { Concurrency } from "./webhook-context.js";
import type { UnderWay } from "./webhook-store.js";

/** The places of the calls that are under way. Caps are for whoever takes them to keep to. */
export interface DeliveryPlaces {
  /** Taken ones. */
  count(): number;
  /** The same by subscriber. */
  underWay(): readonly UnderWay[];
  /** Takes a place for a delivery, and gives what leaves it again, which does so once. */
  take(delivery: Delivery): () => void;
  /** Whether the caps leave a place for it. */
  hasRoomFor(delivery: Delivery): boolean;
  /** Whether somebody has as many as the caps allow: there may be more of theirs that is due. */
  isAnyoneFull(): boolean;
}

export function createDeliveryPlaces({ total, perBusiness, perSubscriber }: Concurrency): DeliveryPlaces {
  const calls = new Map<string, UnderWay>(); // by subscriber
  let taken = 0;

  function takenByBusinesses(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { businessId, calls: own } of calls.values())
      counts.set(businessId, (counts.get(businessId) ?? 0) + own);
    return counts;
  }

  function add(delivery: Delivery, by: number): void {
    const { businessId, subscriber } = delivery;
    const name = nameOf(delivery);
    const own = (calls.get(name)?.calls ?? 0) + by;
    taken += by;
    if (own === 0) calls.delete(name);
    else calls.set(name, { businessId, subscriber, calls: own });
  }

  return {
    count: () => taken,
    underWay: () => [...calls.values()],
    take: (delivery) => {
      let isTaken = true;
      add(delivery, 1);
      return () => {
        if (isTaken) add(delivery, -1);
        isTaken = false;
      };
    },
    hasRoomFor: (delivery) =>
      taken < total &&
      (calls.get(nameOf(delivery))?.calls ?? 0) < perSubscriber &&
      (takenByBusinesses().get(delivery.businessId) ?? 0) < perBusiness,
    isAnyoneFull: () =>
      taken >= total ||
      [...calls.values()].some((own) => own.calls >= perSubscriber) ||
      [...takenByBusinesses().values()].some((own) => own >= perBusiness),
  };
}

function nameOf({ businessId, subscriber }: Delivery): string {
  return `${businessId} ${subscriber.kind} ${subscriber.id}`;
}
