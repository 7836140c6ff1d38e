import type { ApiKey } from "../access/api-key.js";
import type { AuditEntry, EventType, StoredEvent, Subscriber } from "../events/event.js";
import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";
import type { Attempt, Delivery, DeliveryStatus, Lease } from "./delivery.js";
import type { WebhookEndpoint } from "./endpoint.js";
import type { ReplayStore } from "./replay-store.js";

/**
 * The store's port for webhooks. Each method is atomic. Where several machines share a database, the database's clock
 * decides about leases, not the caller's `now`.
 */
export interface WebhookStore extends EndpointStore, DeliveryQueue, DeliveryLog, ReplayStore {}

export interface EndpointStore {
  findEndpoint(businessId: string, id: string): Promise<WebhookEndpoint | null>;
  /** Newest first. */
  listEndpoints(businessId: string, limit: number, offset: number): Promise<Page<WebhookEndpoint>>;
  /**
   * Removes replaced secrets of keys and endpoints whose grace period had ended by `now`, at most `limit` of each kind.
   * Returns the number removed. Versions stay unchanged, so concurrent compare-and-set writes do not fail.
   */
  clearReplacedSecrets(now: Instant, limit: number): Promise<number>;
  /** The possible subscribers of the business: ACTIVE endpoints, and ACTIVE keys with a webhookUrl. */
  findSubscribers(businessId: string): Promise<Subscribers>;
}

/** Takes the error of an event that cannot be read. The name is the same in each read that finds the event so. */
export type UnreadableReport = (error: unknown, name: string) => void;

/** The part of the port that the dispatcher uses. Its methods work across businesses. */
export interface DeliveryQueue {
  /**
   * Events without fan-out, of all businesses but `without`, in commit order; at most `perBusiness` of one business, so
   * that the backlog of one business does not delay the others. Default: no limit per business. The commit of an event
   * decides whether it waits here: only if {@link EndpointStore.findSubscribers} finds one at that moment. An event that
   * cannot be read is left out and reported by `onUnreadable`; it counts for both limits. Default: the call rejects.
   */
  findUndispatchedEvents(
    limit: number,
    perBusiness?: number,
    without?: readonly string[],
    onUnreadable?: UnreadableReport,
  ): Promise<readonly StoredEvent[]>;
  /**
   * Marks the event, found by its business and sequence, as fanned out and inserts its deliveries, leased or not, in one
   * transaction. Of concurrent callers exactly one gets `"written"`; the others get `"taken"` and write nothing. Resolves
   * after the commit is durable.
   */
  fanOut(event: StoredEvent, deliveries: readonly Delivery[]): Promise<"written" | "taken">;
  /**
   * Leases due deliveries (`nextAttemptAt <= now`, and no lease with `until > now`) and counts an attempt for each in the
   * same transaction: no delivery goes to two callers, and an attempt counts even if the process crashes.
   *
   * No subscriber and no business gets more than its share, which includes the calls in flight. Each slot goes to the
   * business with the fewest calls, those of this claim included; among equals, to the delivery that is due longest. So
   * the backlog of one business does not delay the others. A delivery is due since its next attempt, even if a lease that
   * has expired covered it since. Returns the deliveries that are due longest first.
   *
   * Before it looks for due deliveries, it starts the turns of ordered ones. Of the unfinished deliveries of one subject
   * to one subscriber, at most one has its turn, until it is finished: then the one with the lowest sequence is due, with
   * all of its time until the deadline, unless an event of the subject with a lower sequence waits for its fan-out.
   */
  claimDue(claim: DueClaim): Promise<readonly Delivery[]>;
  /**
   * Ends an attempt: writes the attempt and the delivery's new state, and releases the lease, if `fencingToken` still
   * holds it. `"lease-lost"` when another claim took the lease over or the delivery was cancelled: nothing is written.
   * Without an attempt the delivery keeps its last response code, and `refundedAttempts` are subtracted from its attempts.
   */
  settle(settlement: Settlement): Promise<"written" | "lease-lost">;
  /** The waiting work at `now`, of all businesses, for monitoring. Each number is counted up to `atMost`. */
  countBacklog(now: Instant, atMost: number): Promise<Backlog>;
  /** When the next delivery is due or a lease expires; 0 = the turn of one may begin; null = nothing waits. */
  nextDueAt(): Promise<Instant | null>;
}

export interface DeliveryLog {
  /** Cancels unfinished deliveries of a subscriber, at most `limit`. Returns the number cancelled. */
  cancelDeliveries(businessId: string, subscriber: Subscriber, now: Instant, limit: number): Promise<number>;
  findDelivery(businessId: string, id: string): Promise<Delivery | null>;
  /** Newest first. */
  listDeliveries(businessId: string, query: DeliveryQuery): Promise<Page<Delivery>>;
  /** The last 100 attempts, oldest first. */
  listAttempts(businessId: string, deliveryId: string): Promise<readonly Attempt[]>;
  /**
   * Makes a finished delivery pending, and due at `now` unless it is ordered: it then waits for its turn. False when there
   * is no such finished delivery. The entry `audit` commits together with it, or not at all; null = none.
   */
  redeliver(
    businessId: string,
    id: string,
    now: Instant,
    deadlineAt: Instant,
    audit?: AuditEntry | null,
  ): Promise<boolean>;
  /**
   * Redelivers the failed and cancelled deliveries of one subscriber, except tests, in order of creation: those after the
   * cursor, at most `limit`, as `redeliver` does. Returns their cursors in that order. Of concurrent callers exactly one
   * gets each delivery. The entry `audit` commits together with them; without any there is none.
   */
  redeliverUndelivered(businessId: string, restart: Redelivery): Promise<readonly DeliveryCursor[]>;
  /**
   * Removes deliveries finished before `before`, with their attempts: the oldest first, at most `limit`. Returns the
   * number removed.
   */
  pruneDeliveries(before: Instant, limit: number): Promise<number>;
}

export interface Backlog {
  /** Not fanned out. */
  readonly events: number;
  /** Due and not leased. */
  readonly deliveries: number;
}

export interface Subscribers {
  readonly endpoints: readonly WebhookEndpoint[];
  readonly keys: readonly ApiKey[];
}

export interface DueClaim {
  readonly lease: Lease;
  readonly now: Instant;
  readonly limit: number;
  readonly perBusiness: number; // largest number for one business, calls in flight included
  readonly perSubscriber: number; // the same for one subscriber
  readonly inFlight: readonly InFlightCalls[]; // one entry per subscriber
}

/**
 * Calls that the claiming process has in flight to one subscriber, less the deliveries that may wait in that process for
 * these calls to end. Below 0: the claim may take so many more than a share, of the business too.
 */
export interface InFlightCalls {
  readonly businessId: string;
  readonly subscriber: Subscriber;
  readonly calls: number;
}

export interface Settlement {
  readonly businessId: string;
  readonly deliveryId: string;
  readonly fencingToken: string;
  readonly attempt: Attempt | null; // null = the receiver was not called
  readonly refundedAttempts: number; // claims without a call; 0 with an attempt
  readonly status: DeliveryStatus; // unchanged when the delivery is released without a call
  readonly nextAttemptAt: Instant | null; // null = no attempt follows
  readonly now: Instant;
}

export interface Redelivery {
  readonly subscriber: Subscriber;
  readonly after: DeliveryCursor;
  readonly now: Instant;
  readonly deadlineAt: Instant;
  readonly limit: number;
  readonly audit?: AuditEntry | null;
}

/** The position in the order of creation; deliveries of the same millisecond are ordered by id, as an integer. */
export interface DeliveryCursor {
  readonly createdAt: Instant;
  readonly id: string;
}

/** null = no such filter. */
export interface DeliveryQuery {
  readonly subscriber: Subscriber | null;
  readonly status: DeliveryStatus | null;
  readonly eventType: EventType | null;
  readonly limit: number;
  readonly offset: number;
}
