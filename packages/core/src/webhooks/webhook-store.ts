import type { ApiKey } from "../access/api-key.js";
import type { EventType, StoredEvent } from "../events/event.js";
import type { Instant } from "../kernel/clock.js";
import type { Page } from "../kernel/page.js";
import type { Attempt, Delivery, DeliveryStatus, Lease, Subscriber } from "./delivery.js";
import type { WebhookEndpoint } from "./endpoint.js";

/**
 * What webhooks need of a store. Each method is atomic. Those that the dispatcher calls look across businesses; where
 * several machines share a database, its clock and not the caller's `now` decides about leases.
 */
export interface WebhookStore {
  /**
   * Rejects when the id is taken. `"full"` when the business has `limit` endpoints already, disabled ones included, and
   * nothing is written: however many callers there are at once, there are never more. No limit by default.
   */
  insertEndpoint(endpoint: WebhookEndpoint, limit?: number): Promise<"written" | "full">;
  findEndpoint(businessId: string, id: string): Promise<WebhookEndpoint | null>;
  /** Newest first. */
  listEndpoints(businessId: string, limit: number, offset: number): Promise<Page<WebhookEndpoint>>;
  /** Compare-and-set on the version. */
  replaceEndpoint(endpoint: WebhookEndpoint, expectedVersion: number): Promise<"written" | "stale">;
  /** Removes the endpoint; false when there is none. Its deliveries stay: whoever calls cancels what waits. */
  deleteEndpoint(businessId: string, id: string): Promise<boolean>;
  /**
   * Forgets the secrets of keys and endpoints that were replaced and whose grace had ended by `now`, at most `limit` of
   * each kind; gives how many. No version changes: to everybody else it is as if nothing was written.
   */
  clearReplacedSecrets(now: Instant, limit: number): Promise<number>;

  /** Everyone in the business who may be sent events: ACTIVE endpoints, and ACTIVE keys with a webhookUrl. */
  findSubscribers(businessId: string): Promise<Subscribers>;

  /**
   * Events that have not been fanned out yet, in the order of their commits; at most `perBusiness` of one business, so
   * that the backlog of one keeps nobody else waiting. Default: any number.
   */
  findUndispatchedEvents(limit: number, perBusiness?: number): Promise<readonly StoredEvent[]>;
  /**
   * Marks the event as fanned out and adds its deliveries, already leased or not. Of several callers for one event exactly
   * one gets `"written"`; the others get `"taken"` and nothing of theirs is kept. Resolves when it is durable: those under
   * a lease are called next.
   */
  fanOut(event: StoredEvent, deliveries: readonly Delivery[]): Promise<"written" | "taken">;
  /** Adds one delivery of its own, already leased or not: a test. */
  insertDelivery(delivery: Delivery): Promise<void>;

  /**
   * Leases deliveries that are due (`nextAttemptAt <= now`, and no lease with `until > now`) and counts an attempt for
   * each in the same step: two callers never get one delivery, and an attempt counts even if the process dies. No
   * subscriber and no business gets more than its share, in which what the caller is busy with counts. Of each business
   * the longest due are taken. A place goes to the business with the fewest calls, those of this claim included, and
   * among these to what is longest due, so that the backlogs of some keep nobody else waiting. Gives them longest due
   * first.
   */
  claimDue(claim: DueClaim): Promise<readonly Delivery[]>;
  /**
   * Ends an attempt: writes the attempt and the delivery's new state if `leaseId` still holds it, and lets go of the
   * lease. `"lost"` when the lease has been taken over or the delivery was cancelled: nothing is written. Without an
   * attempt the delivery keeps its last response code and counts as many attempts less as are taken back.
   */
  settle(settlement: Settlement): Promise<"written" | "lost">;
  /** How much waits at `now`, in all businesses; each number is counted up to `atMost`. For whoever watches the service. */
  countBacklog(now: Instant, atMost: number): Promise<Backlog>;
  /** When the next delivery falls due or a lease lapses; null = nothing waits. */
  nextDueAt(): Promise<Instant | null>;

  /** Cancels what is not finished of a subscriber that went away, at most `limit` of it; gives how many. */
  cancelDeliveries(businessId: string, subscriber: Subscriber, now: Instant, limit: number): Promise<number>;
  findDelivery(businessId: string, id: string): Promise<Delivery | null>;
  /** Newest first. */
  listDeliveries(businessId: string, query: DeliveryQuery): Promise<Page<Delivery>>;
  /** In the order in which they were made, at most the last 100. */
  listAttempts(businessId: string, deliveryId: string): Promise<readonly Attempt[]>;
  /** Begins a finished delivery anew: pending, due at `now`. False when it is not finished or not there. */
  restartDelivery(businessId: string, id: string, now: Instant, deadlineAt: Instant): Promise<boolean>;
  /**
   * The same for deliveries of one subscriber that failed or were cancelled, tests left out: the first ones behind a
   * place in the order of their creation, at most `limit`. Gives their places in that order. Of several callers one gets
   * each.
   */
  restartUndelivered(businessId: string, restart: Restart): Promise<readonly DeliveryPlace[]>;

  /**
   * Removes deliveries that were finished before `before`, with their attempts, and fanned-out events that occurred
   * before it: the oldest first, at most `limit` of each. Gives how many deliveries and events it removed together.
   */
  pruneDeliveries(before: Instant, limit: number): Promise<number>;
}

/** What waits for the dispatcher. */
export interface Backlog {
  readonly events: number; // that have not been fanned out
  readonly deliveries: number; // that are due, and that nobody is at
}

export interface Subscribers {
  readonly endpoints: readonly WebhookEndpoint[];
  readonly keys: readonly ApiKey[];
}

export interface DueClaim {
  readonly lease: Lease;
  readonly now: Instant;
  readonly limit: number;
  readonly perBusiness: number; // of one business at most, what is under way included
  readonly perSubscriber: number; // the same of one subscriber
  readonly underWay: readonly UnderWay[]; // one entry a subscriber
}

/** Deliveries to one subscriber that whoever claims is busy with. */
export interface UnderWay {
  readonly businessId: string;
  readonly subscriber: Subscriber;
  readonly calls: number;
}

export interface Settlement {
  readonly businessId: string;
  readonly deliveryId: string;
  readonly leaseId: string;
  readonly attempt: Attempt | null; // null = the receiver was not called
  readonly takenBack: number; // claims that led to no call and do not count; 0 with an attempt
  readonly status: DeliveryStatus; // as it was, where the delivery is given back
  readonly nextAttemptAt: Instant | null;
  readonly now: Instant;
}

/** Which deliveries are begun anew, and how. */
export interface Restart {
  readonly subscriber: Subscriber;
  readonly after: DeliveryPlace;
  readonly now: Instant;
  readonly deadlineAt: Instant;
  readonly limit: number;
}

/** Where a delivery stands among those of its subscriber: by creation, and by id, as an integer, within a moment. */
export interface DeliveryPlace {
  readonly createdAt: Instant;
  readonly id: string;
}

/** null means no such filter. */
export interface DeliveryQuery {
  readonly subscriber: Subscriber | null;
  readonly status: DeliveryStatus | null;
  readonly eventType: EventType | null;
  readonly limit: number;
  readonly offset: number;
}
