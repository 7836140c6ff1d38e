import type { Subscriber } from "../../../events/event.js";
import type { Concurrency } from "../../webhook-context.js";
import type { DueClaim, InFlightCalls } from "../../webhook-store.js";
import { type SlotHolder, type SlotUse, subscriberName } from "./concurrency-slots.js";

/**
 * Prefetch: a claim takes more deliveries than slots are free, so that calls go on while the next claim is at the store.
 * It takes as many more as calls have ended while the last two claims were there: none for receivers that hang.
 */
export interface Pace {
  readonly lastTwo: readonly [Calls, Calls]; // that ended while each of the last two claims was at the store
  readonly present: Calls | null; // the same for the claim that is there; null = none is
}

type Calls = readonly SlotHolder[];

export const NO_PACE: Pace = { lastTwo: [[], []], present: null };

/** Throws an Error when another claim is at the store. */
export function claimSent(pace: Pace): Pace {
  if (pace.present !== null) throw new Error("a claim is at the store already");
  return { ...pace, present: [] };
}

/** Throws an Error when no claim is at the store, as does `claimFailed`. */
export function claimReturned({ lastTwo, present }: Pace): Pace {
  if (present === null) throw new Error("no claim is at the store");
  return { lastTwo: [lastTwo[1], present], present: null };
}

/** A claim that failed says nothing about the pace. */
export function claimFailed({ lastTwo, present }: Pace): Pace {
  if (present === null) throw new Error("no claim is at the store");
  return { lastTwo, present: null };
}

export function callEnded(pace: Pace, call: SlotHolder): Pace {
  return pace.present === null ? pace : { ...pace, present: [...pace.present, call] };
}

/** Prefetch for these subscribers begins anew: their receivers have become slow. */
export function slowedDown({ lastTwo: [first, second], present }: Pace, slow: readonly SlotHolder[]): Pace {
  const names = new Set(slow.map(subscriberName));
  const others = (calls: Calls) => calls.filter((call) => !names.has(subscriberName(call)));
  return { lastTwo: [others(first), others(second)], present };
}

/** How many claimed deliveries may wait for a slot in this process. */
export function prefetchLimit({ lastTwo: [first, second] }: Pace, { total }: Concurrency): number {
  return Math.min(total, first.length + second.length);
}

export type ClaimShares = Pick<DueClaim, "perBusiness" | "perSubscriber" | "inFlight">;

interface Load {
  readonly businessId: string;
  readonly subscriber: Subscriber;
  held: number; // deliveries with a slot, or waiting for one
  ended: number; // calls, while the last two claims were at the store
}

/**
 * The shares of a claim. A subscriber has as many waiting deliveries as {@link prefetchLimit} says of its own calls. Where
 * more wait, because its receiver has only now begun to hang, they count as its share of calls and no more: the business
 * keeps its other slots for its other subscribers.
 */
export function sharesOfClaim(
  { limits, reserved, calling }: SlotUse,
  waiting: readonly SlotHolder[],
  { lastTwo }: Pace,
): ClaimShares {
  const { perBusiness, perSubscriber } = limits;
  const loads = loadsOf([...reserved, ...calling, ...waiting], lastTwo.flat());
  const inFlight = loads.map(({ businessId, subscriber, held, ended }): InFlightCalls => {
    return { businessId, subscriber, calls: Math.min(perSubscriber, held - Math.min(perSubscriber, ended)) };
  });
  return { perBusiness, perSubscriber, inFlight };
}

function loadsOf(held: Calls, ended: Calls): readonly Load[] {
  const loads = new Map<string, Load>();
  const loadOf = (holder: SlotHolder): Load => {
    const name = subscriberName(holder);
    const { businessId, subscriber } = holder.delivery;
    const load = loads.get(name) ?? { businessId, subscriber, held: 0, ended: 0 };
    loads.set(name, load);
    return load;
  };
  for (const each of held) loadOf(each).held += 1;
  for (const each of ended) loadOf(each).ended += 1;
  return [...loads.values()];
}
