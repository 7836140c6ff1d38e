import { type EventToCommit, namesOfSubscribers } from "../../events/delivery-plan.js";
import type { DomainEvent, Subscriber } from "../../events/event.js";
import {
  endpointSubscription,
  keySubscription,
  receivesCallbacks,
  type Subscription,
} from "../deliveries/subscription.js";
import type { Delivery } from "../delivery.js";
import type { WebhookContext } from "../webhook-context.js";
import type { Subscribers } from "../webhook-store.js";
import type { DeliveryPool, Made, Reservation } from "./delivery-pool.js";
import { newDeliveries } from "./new-delivery.js";

/** Events of a business with more subscribers wait for their fan-out, so that their commits stay short. */
const MAX_SUBSCRIBERS = 16;
/** The businesses whose subscribers are remembered. */
const MAX_BUSINESSES = 1_000;

/** Plans the deliveries of events, so that the commit of an event makes its deliveries: see {@link EventToCommit}. */
export interface DeliveryPlanner {
  /** Remembers the subscribers that a fan-out has found. Each commit checks that they are still the same. */
  remember(businessId: string, subscribers: Subscribers): void;
  /** Whether the deliveries of an event were planned: the planner then looks for what its commit has left. */
  isPlanned(event: DomainEvent): boolean;
  /**
   * Runs a commit of the events of a business, with their deliveries if its subscribers are remembered. Those that have a
   * slot are sent right after it.
   */
  commit<Outcome>(
    events: readonly DomainEvent[],
    run: (events: readonly EventToCommit[]) => Promise<Outcome>,
  ): Promise<Outcome>;
}

interface Planned {
  readonly event: EventToCommit;
  readonly reservation: Reservation;
}

/** `onUnsent` is called after a commit whose events may wait for a fan-out, or their deliveries for a claim. */
export function createDeliveryPlanner(
  context: WebhookContext,
  pool: DeliveryPool,
  onUnsent: () => void,
): DeliveryPlanner {
  const { store, clock, onError } = context;
  const planned = new WeakSet<DomainEvent>();
  const known = new Map<string, Subscribers>(); // the business that was remembered first is forgotten first

  async function plan(event: DomainEvent, subscribers: Subscribers): Promise<Planned> {
    const plannedAt = clock.now();
    const unplaced = { ...event, sequence: 0, revision: 0 };
    const reservation = pool.reserve(await newDeliveries(context, unplaced, subscribers, () => ""));
    const deliveries = reservation.deliveries.map(({ id, subscriber, deadlineAt, lease, order }) => {
      return { id, subscriber, deadlineAt, lease, orderedSubject: order?.subject ?? null };
    });
    planned.add(event);
    return { event: { ...event, plan: { subscribers: namesOf(subscribers), plannedAt, deliveries } }, reservation };
  }

  /** Null = the commit has not made it. The subscribers are those that the commit has compared. */
  async function findMade({ businessId, id, subscriber }: Delivery, subscribers: Subscribers): Promise<Made | null> {
    const delivery = await store.findDelivery(businessId, id);
    return delivery && { delivery, subscription: subscriptionOf(context, subscribers, subscriber) };
  }

  /** Sends what the commit has made: nothing if it came to nothing, or if the subscribers have changed. */
  async function send({ event, reservation }: Planned, subscribers: Subscribers): Promise<void> {
    const { deliveries, settle } = reservation;
    try {
      const leased = deliveries.map((delivery) => (delivery.lease === null ? null : findMade(delivery, subscribers)));
      const made = await Promise.all(leased);
      if (leased.some((finding, index) => finding !== null && made[index] === null)) known.delete(event.businessId);
      settle("added", made);
      if (made.every((each) => each !== null)) return;
    } catch (error) {
      onError(error);
      settle("unknown");
    }
    onUnsent();
  }

  return {
    isPlanned: (event) => planned.has(event),
    remember: (businessId, subscribers) => {
      known.delete(businessId);
      if (subscribers.endpoints.length + subscribers.keys.length > MAX_SUBSCRIBERS) return;
      known.set(businessId, subscribers);
      const [first] = known.size > MAX_BUSINESSES ? known.keys() : [];
      if (first !== undefined) known.delete(first);
    },
    commit: async (events, run) => {
      const subscribers = known.get(events[0]?.businessId ?? "");
      if (subscribers === undefined) return run(events);
      const all = await Promise.all(events.map((event) => plan(event, subscribers)));
      try {
        const outcome = await run(all.map(({ event }) => event));
        for (const each of all) void send(each, subscribers);
        return outcome;
      } catch (error) {
        for (const { reservation } of all) reservation.settle("unknown");
        throw error;
      }
    },
  };
}

function namesOf({ endpoints, keys }: Subscribers): string {
  return namesOfSubscribers([
    ...endpoints.map(({ id, version }) => ({ kind: "endpoint", id, version }) as const),
    ...keys.map(({ id, version }) => ({ kind: "key", id, version }) as const),
  ]);
}

/** Null = it is not among them, or a key that has expired. */
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
