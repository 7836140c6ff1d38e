import { type DeliveryPlan, type EventToCommit, namesOfSubscribers } from "../../events/delivery-plan.js";
import type { DomainEvent, Subscriber } from "../../events/event.js";
import { at } from "../../kernel/arrays.js";
import { SECOND_MS } from "../../kernel/clock.js";
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
  /** Forgets all subscribers. Each is planned for again after its next fan-out. */
  forget(): void;
  /** Whether deliveries of the event were planned: the planner then looks for what its commit has left. */
  isPlanned(event: DomainEvent): boolean;
  /** Waits until what commits have left is looked for. */
  settled(): Promise<void>;
  /**
   * Runs a commit of the events of a business, with their deliveries if its subscribers are remembered. Those that have a
   * slot are sent right after it.
   */
  commit<Outcome>(
    events: readonly DomainEvent[],
    run: (events: readonly EventToCommit[]) => Promise<Outcome>,
  ): Promise<Outcome>;
}

/**
 * A subscriber is taken to be as the commit has compared it until so long after the plan; later it is read again before the
 * call. One that was removed meanwhile may still get the call, as one that is under way.
 */
const FRESH_MS = SECOND_MS;

/** The commit draws the place. */
const UNPLACED = { sequence: 0, revision: 0 };

interface Planned {
  readonly event: EventToCommit;
  readonly reservation: Reservation;
  readonly subscribers: Subscribers;
  readonly startedMs: number;
  bodies: readonly string[]; // of the deliveries, once the commit has reported them
}

/** `onUnsent` is called after a commit whose events may wait for a fan-out, or their deliveries for a claim. */
export function createDeliveryPlanner(
  context: WebhookContext,
  pool: DeliveryPool,
  onUnsent: () => void,
): DeliveryPlanner {
  const { clock, concurrency, onError } = context;
  const plannedEvents = new WeakSet<DomainEvent>();
  const sending = new Set<Promise<void>>();
  const reserve = reserverForCommits(pool, Math.ceil(concurrency.total / 2));
  const known = knownSubscribers();

  /** Takes slots once all ids are drawn: an error before leaves none taken. */
  async function planEach(events: readonly DomainEvent[], subscribers: Subscribers): Promise<readonly Planned[]> {
    const plannedAt = clock.now();
    const startedMs = clock.monotonicMs();
    const drafts = await Promise.all(
      events.map((event) => newDeliveries(context, { ...event, ...UNPLACED }, subscribers, () => "")),
    );
    return events.map((event, index) => {
      const reservation = reserve(at(drafts, index));
      const deliveries = reservation.deliveries.map(({ id, subscriber, deadlineAt, lease, order }) => {
        return { id, subscriber, deadlineAt, lease, orderedSubject: order?.subject ?? null };
      });
      if (deliveries.length > 0) plannedEvents.add(event);
      const plan = { subscribers: namesOf(subscribers), plannedAt, deliveries };
      return withPlan(event, plan, { reservation, subscribers, startedMs });
    });
  }

  /**
   * Finds what the commit has made: nothing if it came to nothing, or if the subscribers have changed. Both forget the
   * subscribers, until the next fan-out. The pool sends the deliveries that have a slot. The first delivery is looked for
   * in any case: it shows whether the plan held.
   */
  async function send(planned: Planned): Promise<void> {
    const { event, reservation, subscribers } = planned;
    const { deliveries, settle } = reservation;
    if (!deliveries.some(({ lease }) => lease !== null) && !pool.isStarted) return; // a tick claims them
    try {
      const reads = deliveries.map((each, index) =>
        each.lease !== null || index === 0 ? findMade(context, each, planned.bodies[index], planned) : null,
      );
      const made = await Promise.all(reads);
      settle(made);
      const isMissing = reads.some((read, index) => read !== null && made[index] === null);
      if (isMissing) known.forget(event.businessId, subscribers);
      else if (deliveries.every(({ lease }) => lease !== null)) return;
    } catch (error) {
      onError(error);
      settle("unknown");
    }
    onUnsent();
  }

  return {
    settled: async () => void (await Promise.all(sending)),
    isPlanned: (event) => plannedEvents.has(event),
    remember: known.remember,
    forget: known.forgetAll,
    commit: async (events, run) => {
      const subscribers = known.of(events[0]?.businessId ?? "");
      if (subscribers === undefined) return run(events);
      const all = await planEach(events, subscribers).catch((error: unknown) => void onError(error));
      if (all === undefined) return run(events);
      try {
        const outcome = await run(all.map(({ event }) => event));
        for (const each of all) {
          const sent = send(each).finally(() => sending.delete(sent));
          sending.add(sent);
        }
        return outcome;
      } catch (error) {
        for (const { reservation } of all) reservation.settle("unknown");
        throw error;
      }
    },
  };
}

/** Notes the bodies that the commit of the event reports, if one of its deliveries is sent right after it. */
function withPlan(
  event: DomainEvent,
  plan: DeliveryPlan,
  beside: Pick<Planned, "reservation" | "subscribers" | "startedMs">,
): Planned {
  const onMade = (bodies: readonly string[]) => {
    planned.bodies = bodies;
  };
  const isSentAtOnce = plan.deliveries.some(({ lease }) => lease !== null);
  const asked = isSentAtOnce ? { ...plan, onMade } : plan;
  const planned: Planned = { event: { ...event, plan: asked }, bodies: [], ...beside };
  return planned;
}

/** The delivery as it was planned, with the body that its commit has reported, else as it is stored. Null = it is not. */
async function findMade(
  context: WebhookContext,
  planned: Delivery,
  body: string | undefined,
  { subscribers, startedMs }: Planned,
): Promise<Made | null> {
  const { store, clock } = context;
  const { businessId, id, subscriber } = planned;
  const delivery = body === undefined ? await store.findDelivery(businessId, id) : { ...planned, body };
  const isFresh = clock.monotonicMs() - startedMs <= FRESH_MS;
  return delivery && { delivery, subscription: isFresh ? subscriptionOf(context, subscribers, subscriber) : null };
}

/** The subscribers of businesses. The business that was remembered first is forgotten first. */
function knownSubscribers() {
  const known = new Map<string, Subscribers>();
  return {
    of: (businessId: string) => known.get(businessId),
    remember: (businessId: string, subscribers: Subscribers): void => {
      known.delete(businessId);
      if (subscribers.endpoints.length + subscribers.keys.length > MAX_SUBSCRIBERS) return;
      known.set(businessId, subscribers);
      const [first] = known.size > MAX_BUSINESSES ? known.keys() : [];
      if (first !== undefined) known.delete(first);
    },
    forgetAll: () => known.clear(),
    /** Keeps subscribers that were found since. */
    forget: (businessId: string, subscribers: Subscribers): void => {
      if (known.get(businessId) === subscribers) known.delete(businessId);
    },
  };
}

/** Commits may wait long for a business: those under way hold at most so many slots. The others are for what is due. */
function reserverForCommits(pool: DeliveryPool, most: number): DeliveryPool["reserve"] {
  let held = 0;
  return (drafts) => {
    if (held + drafts.length > most) return { deliveries: drafts, settle: () => {} };
    const reservation = pool.reserve(drafts);
    const taken = reservation.deliveries.filter(({ lease }) => lease !== null).length;
    held += taken;
    const settle: Reservation["settle"] = (made) => {
      held -= taken;
      reservation.settle(made);
    };
    return { ...reservation, settle };
  };
}

function namesOf({ endpoints, keys }: Subscribers): string {
  return namesOfSubscribers([
    ...endpoints.map(({ id, version }) => ({ kind: "endpoint", id, version }) as const),
    ...keys.map(({ id, version }) => ({ kind: "key", id, version }) as const),
  ]);
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
