import type { Committed } from "../../../commit/commit.js";
import type { DeliveryPlan, PlannedDelivery } from "../../../commit/delivery-plan.js";
import type { PlannedDeliveries } from "../../../commit/run-commit.js";
import type { DomainEvent, Subscriber } from "../../../events/event.js";
import { at } from "../../../kernel/arrays.js";
import { SECOND_MS } from "../../../kernel/clock.js";
import { plannedDelivery } from "../../deliveries/planned-deliveries.js";
import {
  endpointSubscription,
  keySubscription,
  receivesCallbacks,
  type Subscription,
} from "../../deliveries/subscription.js";
import type { WebhookContext } from "../../webhook-context.js";
import type { Subscribers } from "../../webhook-store.js";
import type { SlotHolder } from "../pool/concurrency-slots.js";
import type { DeliveryPool, Reservation } from "../pool/delivery-pool.js";
import { createKnownSubscribers, type Remember } from "./known-subscribers.js";
import { planDeliveries, recipientsOf } from "./plan-deliveries.js";

/** Plans the deliveries of commits, and sends those that the commits have made. */
export interface CommitPlanner {
  /** Null = the business has no known subscribers, so the events wait for their fan-out. Never rejects. */
  planDeliveries(events: readonly DomainEvent[]): Promise<PlannedDeliveries | null>;
  /** Called before a fan-out reads subscribers. The result remembers those that it has found. */
  beginRead(): Remember;
  /** Forgets all subscribers. Each business has plans again after its next fan-out. */
  forget(): void;
  /** Resolves when the deliveries of all commits so far are sent, or left to claims. */
  settled(): Promise<void>;
}

/** The work that commits leave to the loops of the dispatcher. */
export interface LeftWork {
  /** Events may wait for their fan-out, and deliveries for a claim. */
  onEvents(): void;
  /** Deliveries wait for a claim. */
  onDeliveries(): void;
}

/**
 * Subscriber data is trusted for so long after the plan: the commit has compared its version since. Later it is read again
 * before the call. A subscriber that was removed meanwhile may still get the call, as one that is under way.
 */
const TRUSTED_MS = SECOND_MS;

/** A commit under way. */
interface Planned {
  readonly businessId: string;
  readonly subscribers: Subscribers;
  readonly plan: DeliveryPlan;
  readonly reservation: Reservation;
  readonly parcels: readonly Parcel[]; // the deliveries of the plan
}

interface Parcel {
  readonly event: DomainEvent;
  readonly planned: PlannedDelivery;
  readonly slot: SlotHolder | null; // null = a claim takes the delivery
}

/** What a commit has made of a plan. */
interface Made {
  readonly bodies: Bodies;
  readonly isHeld: boolean; // false = the plan is empty, or the subscribers have changed: the events may wait
}

type Bodies = ReadonlyMap<string, string>; // of deliveries that this process may send, by id

const NOTHING: Bodies = new Map();

export function createCommitPlanner(context: WebhookContext, pool: DeliveryPool, left: LeftWork): CommitPlanner {
  const known = createKnownSubscribers();
  const reading = new Set<Promise<void>>();

  function settle(planned: Planned, committed: Committed | null): void {
    if (committed === null) releaseAll(pool, planned);
    else if (committed.kind === "refused") sendMade(context, pool, planned, NOTHING);
    else if (committed.made === null) read(planned);
    else {
      const bodies = new Map(committed.made.map(({ id, body }) => [id, body]));
      settleMade(planned, { bodies, isHeld: bodies.size > 0 });
    }
  }

  function settleMade(planned: Planned, { bodies, isHeld }: Made): void {
    const { businessId, subscribers, parcels } = planned;
    sendMade(context, pool, planned, bodies);
    if (parcels.length > 0 && !isHeld) known.forget(businessId, subscribers);
    if (!isHeld) left.onEvents();
    else if (parcels.some(({ slot }) => slot === null)) left.onDeliveries();
  }

  function read(planned: Planned): void {
    const isRead = pool.isStarted || planned.parcels.some(({ slot }) => slot !== null); // else a tick looks for all
    if (!isRead) return;
    const done: Promise<void> = readMade(context, planned)
      .then((made) => settleMade(planned, made))
      .catch((error: unknown) => {
        context.onError(error);
        releaseAll(pool, planned);
        left.onEvents();
        left.onDeliveries();
      })
      .finally(() => reading.delete(done));
    reading.add(done);
  }

  return {
    planDeliveries: async (events) => {
      const { businessId = "" } = events[0] ?? {};
      const subscribers = known.find(businessId);
      if (subscribers === undefined) return null;
      try {
        const planned = await plan(context, pool, events, { businessId, subscribers });
        return { plan: planned.plan, settle: (committed) => settle(planned, committed) };
      } catch (error) {
        context.onError(error);
        return null;
      }
    },
    beginRead: known.beginRead,
    forget: known.forgetAll,
    settled: async () => void (await Promise.all(reading)),
  };
}

/** Takes the slots last, once all ids are drawn: an error before leaves none taken. */
async function plan(
  { clock, ids }: WebhookContext,
  pool: DeliveryPool,
  events: readonly DomainEvent[],
  { businessId, subscribers }: Pick<Planned, "businessId" | "subscribers">,
): Promise<Planned> {
  const plannedAt = clock.now();
  const recipients = recipientsOf(events, subscribers, plannedAt);
  const newIds = await ids.take(businessId, recipients.length);
  const reservation = pool.reserve(
    recipients.map(
      ({ subscriber, isOrdered }) => (isOrdered ? null : { delivery: { businessId, subscriber } }), // a claim starts the turn of an ordered one
    ),
  );
  const { slots, held } = reservation;
  const leases = slots.map((slot) => (slot === null ? null : held.lease));
  const made = planDeliveries(recipients, subscribers, { plannedAt, ids: newIds, leases });
  const parcels = made.deliveries.map((planned, index) => {
    return { event: at(recipients, index).event, planned, slot: slots[index] ?? null };
  });
  return { businessId, subscribers, plan: made, reservation, parcels };
}

/** Sends the deliveries that have a slot. The slots of those without a body are free again. */
function sendMade(context: WebhookContext, pool: DeliveryPool, planned: Planned, bodies: Bodies): void {
  const { plan, subscribers, reservation, parcels } = planned;
  const isTrusted = context.clock.monotonicMs() - reservation.held.sinceMs <= TRUSTED_MS;
  for (const { event, planned, slot } of parcels) {
    const body = bodies.get(planned.id);
    if (slot === null) continue;
    if (body === undefined) pool.cancel(slot);
    else {
      const subscription = isTrusted ? subscriptionOf(context, subscribers, planned.subscriber) : null;
      pool.send(reservation, slot, plannedDelivery(event, planned, plan.plannedAt, body), subscription);
    }
  }
}

/** Releases the deliveries of a commit whose outcome is unknown, in case that it has made them. */
function releaseAll(pool: DeliveryPool, { businessId, parcels }: Planned): void {
  for (const { planned, slot } of parcels) {
    const { id, lease } = planned;
    if (slot !== null) pool.release(slot, { businessId, id, lease, status: "pending" });
  }
}

/** Reads the deliveries that have a slot, and the first in any case: it shows whether the plan held. */
async function readMade({ store }: WebhookContext, { businessId, parcels }: Planned): Promise<Made> {
  const wanted = parcels.filter(({ slot }, index) => slot !== null || index === 0);
  const read = await Promise.all(wanted.map(({ planned }) => store.findDelivery(businessId, planned.id)));
  const leases = new Map(wanted.map(({ planned: { id, lease } }) => [id, lease]));
  const own = read.filter((each) => each !== null).filter(({ id, lease }) => lease?.token === leases.get(id)?.token);
  const bodies = new Map(own.map(({ id, body }) => [id, body]));
  return { bodies, isHeld: read.length > 0 && !read.includes(null) };
}

/** Null = a key that has expired since. */
function subscriptionOf(
  context: WebhookContext,
  { endpoints, keys }: Subscribers,
  { kind, id }: Subscriber,
): Subscription | null {
  if (kind === "endpoint") {
    const endpoint = endpoints.find((each) => each.id === id);
    return endpoint === undefined ? null : endpointSubscription(context, endpoint);
  }
  const key = keys.find((each) => each.id === id);
  const isReceiving = key !== undefined && receivesCallbacks(key, context.clock.now());
  return isReceiving ? keySubscription(context, key) : null;
}
