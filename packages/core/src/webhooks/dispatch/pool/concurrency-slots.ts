import type { Subscriber } from "../../../events/event.js";
import type { Delivery } from "../../delivery.js";
import type { Concurrency } from "../../webhook-context.js";

/** A delivery that takes a slot of the process, and with it one of its business's share and of its subscriber's. */
export interface SlotHolder {
  readonly delivery: Pick<Delivery, "businessId" | "subscriber">;
}

/** The slots in use. */
export interface SlotUse {
  readonly limits: Concurrency;
  readonly reserved: readonly SlotHolder[]; // their commits are under way
  readonly calling: readonly SlotHolder[];
}

/** Throws a RangeError with the name of the option for a limit that is no whole number from 1. */
export function checkLimits({ total, perBusiness, perSubscriber }: Concurrency): void {
  for (const [name, limit] of Object.entries({ total, perBusiness, perSubscriber })) {
    if (Number.isInteger(limit) && limit >= 1) continue;
    throw new RangeError(`webhooks.concurrency.${name} must be a whole number from 1: ${limit}`);
  }
}

export function countFree({ limits, reserved, calling }: SlotUse): number {
  return limits.total - reserved.length - calling.length;
}

/** True when the process, the business and the subscriber each have a free slot. */
export function hasRoom(use: SlotUse, holder: SlotHolder): boolean {
  return countFree(use) > 0 && !isShareFull(use, holder);
}

/** True when the business or the subscriber of the delivery has no free slot. */
export function isShareFull({ limits, reserved, calling }: SlotUse, { delivery }: SlotHolder): boolean {
  const inUse = reserved.length + calling.length;
  if (inUse < limits.perBusiness && inUse < limits.perSubscriber) return false; // most often, and without a count
  let ofBusiness = 0;
  let ofSubscriber = 0;
  for (const holders of [reserved, calling]) {
    for (const { delivery: other } of holders) {
      if (other.businessId !== delivery.businessId) continue;
      ofBusiness += 1;
      if (isSame(other.subscriber, delivery.subscriber)) ofSubscriber += 1;
    }
  }
  return ofBusiness >= limits.perBusiness || ofSubscriber >= limits.perSubscriber;
}

function isSame(one: Subscriber, other: Subscriber): boolean {
  return one.id === other.id && one.kind === other.kind;
}

/** True when any business or subscriber has no free slot: the store may have due deliveries for it. */
export function isAnyShareFull({ limits, reserved, calling }: SlotUse): boolean {
  const ofBusinesses = new Map<string, number>();
  const ofSubscribers = new Map<string, number>();
  return [...reserved, ...calling].some((holder) => {
    const ofBusiness = addOne(ofBusinesses, holder.delivery.businessId);
    const ofSubscriber = addOne(ofSubscribers, subscriberName(holder));
    return ofBusiness >= limits.perBusiness || ofSubscriber >= limits.perSubscriber;
  });
}

/** The slots in use by business and by subscriber, counted once for many deliveries. */
export interface CountedSlots {
  hasRoomFor(holder: SlotHolder): boolean;
  /** The delivery takes a slot. */
  add(holder: SlotHolder): void;
}

export function countSlots(use: SlotUse): CountedSlots {
  const { total, perBusiness, perSubscriber } = use.limits;
  const ofBusinesses = new Map<string, number>();
  const ofSubscribers = new Map<string, number>();
  let inUse = 0;
  const add = (holder: SlotHolder): void => {
    inUse += 1;
    addOne(ofBusinesses, holder.delivery.businessId);
    addOne(ofSubscribers, subscriberName(holder));
  };
  for (const holders of [use.reserved, use.calling]) for (const holder of holders) add(holder);
  return {
    hasRoomFor: (holder) =>
      inUse < total &&
      (ofBusinesses.get(holder.delivery.businessId) ?? 0) < perBusiness &&
      (ofSubscribers.get(subscriberName(holder)) ?? 0) < perSubscriber,
    add,
  };
}

function addOne(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}

/** Unique among the subscribers of all businesses. */
export function subscriberName({ delivery: { businessId, subscriber } }: SlotHolder): string {
  return `${businessId} ${subscriber.kind} ${subscriber.id}`;
}
