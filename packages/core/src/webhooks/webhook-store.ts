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
  insertEndpoint(endpoint: WebhookEndpoint): Promise<void>;
  findEndpoint(businessId: string, id: string): Promise<WebhookEndpoint | null>;
  /** Newest first. */
  listEndpoints(businessId: string, limit: number, offset: number): Promise<Page<WebhookEndpoint>>;
  /** Compare-and-set on the version. */
  replaceEndpoint(endpoint: WebhookEndpoint, expectedVersion: number): Promise<"written" | "stale">;
  /** Removes the endpoint and cancels its deliveries that are not finished; false when there is none. */
  deleteEndpoint(businessId: string, id: string, now: Instant): Promise<boolean>;

  /** Everyone in the business who may be sent events: ACTIVE endpoints, and ACTIVE keys with a webhookUrl. */
  findSubscribers(businessId: string): Promise<Subscribers>;

  /**
   * Events that have not been fanned out yet, in the order of their commits; at most `perBusiness` of one business, so
   * that the backlog of one keeps nobody else waiting. Default: any number.
   */
  findUndispatchedEvents(limit: number, perBusiness?: number): Promise<readonly StoredEvent[]>;
  /**
   * Marks the event as fanned out and adds its deliveries. Of several callers for one event exactly one gets
   * `"written"`; the others get `"taken"` and nothing of theirs is kept.
   */
  fanOut(event: StoredEvent, deliveries: readonly Delivery[]): Promise<"written" | "taken">;
  /** Adds one delivery of its own, already leased or not: a test. */
  insertDelivery(delivery: Delivery): Promise<void>;

  /**
   * Leases deliveries that are due (`nextAttemptAt <= now`, and no lease with `until > now`), longest due first, and
   * counts an attempt for each in the same step: two callers never get one delivery, and an attempt counts even if the
   * process dies. No subscriber and no business gets more than its share, in which what the caller is busy with counts.
   */
  claimDue(claim: DueClaim): Promise<readonly Delivery[]>;
  /**
   * Ends an attempt: writes the attempt and the delivery's new state if `leaseId` still holds it, and lets go of the
   * lease. `"lost"` when the lease has been taken over or the delivery was cancelled: nothing is written. Without an
   * attempt the delivery keeps its last response code and counts as many attempts less as are taken back.
   */
  settle(settlement: Settlement): Promise<"written" | "lost">;
  /** When the next delivery falls due or a lease lapses; null = nothing waits. */
  nextDueAt(): Promise<Instant | null>;

  /** Cancels what is not finished of a subscriber that went away; gives how many. */
  cancelDeliveries(businessId: string, subscriber: Subscriber, now: Instant): Promise<number>;
  findDelivery(businessId: string, id: string): Promise<Delivery | null>;
  /** Newest first. */
  listDeliveries(businessId: string, query: DeliveryQuery): Promise<Page<Delivery>>;
  /** In the order in which they were made, at most the last 100. */
  listAttempts(businessId: string, deliveryId: string): Promise<readonly Attempt[]>;
  /** Begins a finished delivery anew: pending, due at `now`. False when it is not finished or not there. */
  restartDelivery(businessId: string, id: string, now: Instant, deadlineAt: Instant): Promise<boolean>;
  /** The same for every failed delivery of the subscriber that was created since, tests left out; gives how many. */
  restartFailedSince(
    businessId: string,
    subscriber: Subscriber,
    since: Instant,
    now: Instant,
    deadlineAt: Instant,
  ): Promise<number>;

  /**
   * Removes deliveries that were finished before `before`, with their attempts, and fanned-out events that occurred
   * before it: the oldest first, at most `limit` of each. Gives how many deliveries and events it removed together.
   */
  pruneDeliveries(before: Instant, limit: number): Promise<number>;
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
  readonly status: DeliveryStatus; // delivered, failed, retrying or cancelled
  readonly nextAttemptAt: Instant | null;
  readonly now: Instant;
}

/** null means no such filter. */
export interface DeliveryQuery {
  readonly subscriber: Subscriber | null;
  readonly status: DeliveryStatus | null;
  readonly eventType: EventType | null;
  readonly limit: number;
  readonly offset: number;
}
