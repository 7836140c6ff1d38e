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
}

export function createDeliveryPlaces({ total, perBusiness, perSubscriber }: Concurrency): DeliveryPlaces {
  const calls = new Map<string, UnderWay>(); // by subscriber
  let taken = 0;

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
      (callsOfBusinesses([...calls.values()]).get(delivery.businessId) ?? 0) < perBusiness,
  };
}

/**
 * Whether a claim was kept to the share of somebody, with what was under way when it began and what it gave: there may be
 * more of theirs that is due.
 */
export function reachesShare(
  underWay: readonly UnderWay[],
  given: readonly Delivery[],
  { perBusiness, perSubscriber }: Concurrency,
): boolean {
  const own = new Map(underWay.map((each) => [nameOf(each), each]));
  for (const { businessId, subscriber } of given) {
    const name = nameOf({ businessId, subscriber });
    own.set(name, { businessId, subscriber, calls: (own.get(name)?.calls ?? 0) + 1 });
  }
  const all = [...own.values()];
  return (
    all.some(({ calls }) => calls >= perSubscriber) ||
    [...callsOfBusinesses(all).values()].some((calls) => calls >= perBusiness)
  );
}

function callsOfBusinesses(underWay: readonly UnderWay[]): ReadonlyMap<string, number> {
  const calls = new Map<string, number>();
  for (const { businessId, calls: own } of underWay) calls.set(businessId, (calls.get(businessId) ?? 0) + own);
  return calls;
}

function nameOf({ businessId, subscriber }: Pick<Delivery, "businessId" | "subscriber">): string {
  return `${businessId} ${subscriber.kind} ${subscriber.id}`;
}
