import type { Instant } from "../../kernel/clock.js";
import { type Attempt, type Delivery, isFinished, type Subscriber } from "../../webhooks/delivery.js";
import type { DueClaim, WebhookStore } from "../../webhooks/webhook-store.js";
import type { OpenTables, Tables } from "./tables.js";

type DispatchMethods =
  | "findUndispatchedEvents"
  | "fanOut"
  | "insertDelivery"
  | "claimDue"
  | "settle"
  | "countBacklog"
  | "nextDueAt";

/** What the dispatcher lives on. */
export function memoryDispatch(open: OpenTables): Pick<WebhookStore, DispatchMethods> {
  return {
    findUndispatchedEvents: async (limit, perBusiness = limit) => {
      const { events, undispatched } = open();
      const ofBusiness = new Share(perBusiness);
      return events
        .filter((event) => undispatched.has(event.sequence))
        .filter(({ businessId }) => ofBusiness.take(businessId))
        .slice(0, limit);
    },

    fanOut: async (event, deliveries) => {
      const tables = open();
      if (!isUndispatched(tables, event.businessId, event.sequence)) return "taken";
      addAll(tables, deliveries);
      tables.undispatched.delete(event.sequence);
      return "written";
    },

    insertDelivery: async (delivery) => addAll(open(), [delivery]),

    claimDue: async (claim) => {
      const { deliveries } = open();
      return chooseDue(deliveries.all(), claim).map((delivery) => {
        const { businessId, id, attempts, attemptsInRound } = delivery;
        const counted = { attempts: attempts + 1, attemptsInRound: attemptsInRound + 1 };
        deliveries.save(businessId, id, { ...delivery, ...counted, lease: claim.lease, updatedAt: claim.now });
        return deliveries.find(businessId, id) ?? delivery;
      });
    },

    settle: async (settlement) => {
      const tables = open();
      const { businessId, deliveryId, leaseId, attempt, takenBack, status, nextAttemptAt, now } = settlement;
      const delivery = tables.deliveries.find(businessId, deliveryId);
      if (delivery === null || delivery.lease?.id !== leaseId) return "lost";
      const outcome = attempt === null ? fewer(delivery, takenBack) : recorded(tables, delivery, attempt);
      const next = { ...delivery, ...outcome, status, nextAttemptAt, lease: null, updatedAt: now };
      tables.deliveries.save(businessId, deliveryId, next);
      return "written";
    },

    countBacklog: async (now, atMost) => {
      const { deliveries, undispatched } = open();
      const due = deliveries.all().filter((delivery) => (dueAt(delivery) ?? Number.POSITIVE_INFINITY) <= now);
      return { events: Math.min(atMost, undispatched.size), deliveries: Math.min(atMost, due.length) };
    },

    nextDueAt: async () => {
      const moments = open()
        .deliveries.all()
        .flatMap((delivery) => dueAt(delivery) ?? []);
      return moments.length === 0 ? null : Math.min(...moments);
    },
  };
}

function isUndispatched({ events, undispatched }: Tables, businessId: string, sequence: number): boolean {
  return undispatched.has(sequence) && events.some((e) => e.sequence === sequence && e.businessId === businessId);
}

/** Adds all or, when one of the ids is taken, none. */
function addAll({ deliveries }: Tables, added: readonly Delivery[]): void {
  const ids = new Set<string>();
  for (const { businessId, id } of added) {
    const name = `${id} in business ${businessId}`;
    if (ids.has(name) || deliveries.find(businessId, id) !== null) throw new Error(`duplicate delivery ${name}`);
    ids.add(name);
  }
  for (const delivery of added) deliveries.add(delivery.businessId, delivery.id, delivery);
}

/** From when on the delivery may be claimed; null = never, as it stands. */
function dueAt({ status, nextAttemptAt, lease }: Delivery): Instant | null {
  if (isFinished(status) || nextAttemptAt === null) return null;
  return Math.max(nextAttemptAt, lease?.until ?? nextAttemptAt);
}

interface Due {
  readonly delivery: Delivery;
  readonly due: Instant;
}

function chooseDue(deliveries: readonly Delivery[], claim: DueClaim): readonly Delivery[] {
  const ofBusiness = new Share(claim.perBusiness);
  const ofSubscriber = new Share(claim.perSubscriber);
  for (const { businessId, subscriber, calls } of claim.underWay) {
    ofBusiness.use(businessId, calls);
    ofSubscriber.use(nameOf(businessId, subscriber), calls);
  }
  return deliveries
    .flatMap((delivery) => {
      const due = dueAt(delivery);
      return due === null || due > claim.now ? [] : [{ delivery, due }];
    })
    .sort(longestDueFirst)
    .flatMap(({ delivery, due }) => {
      const { businessId, subscriber } = delivery;
      const name = nameOf(businessId, subscriber);
      const isWithin = ofSubscriber.hasRoom(name) && ofBusiness.take(businessId) && ofSubscriber.take(name);
      return isWithin ? [{ delivery, due, calls: ofBusiness.used(businessId) }] : [];
    })
    .sort((a, b) => a.calls - b.calls) // those with as many keep their order
    .slice(0, claim.limit)
    .sort(longestDueFirst)
    .map(({ delivery }) => delivery);
}

function longestDueFirst(a: Due, b: Due): number {
  return a.due - b.due || Number(a.delivery.id) - Number(b.delivery.id);
}

/** Keeps the attempt; throws an Error when there is one of its number already. */
function recorded(tables: Tables, { businessId, id }: Delivery, attempt: Attempt): Pick<Delivery, "responseCode"> {
  const earlier = tables.attempts.find(businessId, id) ?? [];
  if (earlier.some(({ number }) => number === attempt.number)) {
    throw new Error(`duplicate attempt ${attempt.number} of delivery ${id} in business ${businessId}`);
  }
  tables.attempts.save(businessId, id, [...earlier, attempt]);
  return { responseCode: attempt.responseCode };
}

function fewer(
  { attempts, attemptsInRound }: Delivery,
  takenBack: number,
): Pick<Delivery, "attempts" | "attemptsInRound"> {
  return { attempts: attempts - takenBack, attemptsInRound: attemptsInRound - takenBack };
}

function nameOf(businessId: string, { kind, id }: Subscriber): string {
  return `${businessId} ${kind} ${id}`;
}

/** So many for each name and no more. */
class Share {
  readonly #each: number;
  readonly #used = new Map<string, number>();

  constructor(each: number) {
    this.#each = each;
  }

  used(name: string): number {
    return this.#used.get(name) ?? 0;
  }

  hasRoom(name: string): boolean {
    return this.used(name) < this.#each;
  }

  use(name: string, count: number): void {
    this.#used.set(name, this.used(name) + count);
  }

  /** False when nothing is left. */
  take(name: string): boolean {
    if (!this.hasRoom(name)) return false;
    this.use(name, 1);
    return true;
  }
}
