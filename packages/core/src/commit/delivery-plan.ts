import type { Subscriber } from "../events/event.js";
import type { Instant } from "../kernel/clock.js";

/** A delivery that the commit of its event makes: pending, and due when it was planned unless it is ordered. */
export interface PlannedDelivery {
  readonly id: string;
  readonly eventId: string; // of an event of the commit
  readonly subscriber: Subscriber;
  readonly deadlineAt: Instant; // no retry begins after this
  readonly orderedSubject: string | null; // as "budget 70"; null = not ordered
  /** Of the process that commits, which sends it right after as the first attempt; null = a claim takes it. */
  readonly lease: { readonly token: string; readonly until: Instant } | null;
}

/**
 * The deliveries of the events of a commit, for the subscribers that the business had when they were planned. The commit
 * makes them if these are still the subscribers, in the same versions; its events then wait for no fan-out. Otherwise it
 * makes none, and the events wait.
 */
export interface DeliveryPlan {
  readonly subscribers: string; // of the business, as `namesOfSubscribers` writes them
  readonly plannedAt: Instant;
  readonly deliveries: readonly PlannedDelivery[];
}

/** A planned delivery that a commit has made. */
export interface MadeDelivery {
  readonly id: string;
  readonly body: string;
}

/** A subscriber in a version. */
export interface SubscriberVersion {
  readonly kind: Subscriber["kind"];
  readonly id: string | number;
  readonly version: number;
}

/** The subscribers of a business in one text, in any order: equal texts name the same ones in the same versions. */
export function namesOfSubscribers(subscribers: readonly SubscriberVersion[]): string {
  return subscribers
    .map(({ kind, id, version }) => `${kind} ${id} ${version}`)
    .sort()
    .join();
}
