import type { Instant } from "../kernel/clock.js";
import type { DomainEvent, Subscriber } from "./event.js";

/** A delivery that the commit of its event makes: pending, and due when it was planned unless it is ordered. */
export interface PlannedDelivery {
  readonly id: string;
  readonly subscriber: Subscriber;
  readonly deadlineAt: Instant; // no retry begins after this
  readonly orderedSubject: string | null; // as "budget 70"; null = not ordered
  /** Of the process that commits, which sends it right after as the first attempt; null = a claim takes it. */
  readonly lease: { readonly token: string; readonly until: Instant } | null;
}

/**
 * The deliveries of an event, for the subscribers that its business had when they were planned. The commit makes them if
 * these are still the subscribers, in the same versions; the event then waits for no fan-out. Else it makes none.
 */
export interface DeliveryPlan {
  readonly subscribers: string; // of the business, as `namesOfSubscribers` writes them
  readonly plannedAt: Instant;
  readonly deliveries: readonly PlannedDelivery[];
  /**
   * Called with the bodies of the deliveries, in their order, when the commit has made them, before its method resolves.
   * Does not throw. A store may leave the call out, and does where it has repeated the commit: they are then read, which
   * takes longer where the store is another process. Absent = they are not asked for.
   */
  readonly onMade?: (bodies: readonly string[]) => void;
}

/** An event as a commit takes it. */
export interface EventToCommit extends DomainEvent {
  readonly plan?: DeliveryPlan; // absent = the event waits for its fan-out; part of no document
}

/** The event without its plan. */
export function eventOf({ plan: _, ...event }: EventToCommit): DomainEvent {
  return event;
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
