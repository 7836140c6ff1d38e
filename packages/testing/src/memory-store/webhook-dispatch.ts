import {
  type Attempt,
  type Change,
  chooseFairly,
  type Delivery,
  type DueDelivery,
  freeSlots,
  IdTaken,
  type Instant,
  isFinished,
  MAX_LISTED_ATTEMPTS,
  type StoreCommit,
  type StoredEvent,
  type WebhookStore,
} from "@budgetkit/core/store";
import {
  attemptText,
  bytesOfAttempts,
  bytesOfBody,
  bytesOfDeliveries,
  type SharedBody,
  shareBodies,
} from "@budgetkit/store-kit";
import { nextTurns, startTurns } from "./delivery-turns.js";
import { countUse } from "./storage-use.js";
import type { OpenTables, Tables } from "./tables.js";
import type { WriteOf } from "./write-of.js";

type DispatchMethods = "findUndispatchedEvents" | "fanOut" | "claimDue" | "settle" | "countBacklog" | "nextDueAt";

export function memoryDispatch(open: OpenTables): Pick<WebhookStore, DispatchMethods> {
  return {
    findUndispatchedEvents: async (limit, perBusiness = limit, without = []) => {
      const { undispatched } = open();
      const counts = new Map<string, number>();
      const isWithinShare = (businessId: string) => {
        const count = (counts.get(businessId) ?? 0) + 1;
        counts.set(businessId, count);
        return count <= perBusiness && !without.includes(businessId);
      };
      return [...undispatched].filter(({ businessId }) => isWithinShare(businessId)).slice(0, limit);
    },

    fanOut: async (event, deliveries) => {
      const tables = open();
      const waiting = findUndispatched(tables, event.businessId, event.sequence);
      if (waiting === undefined) return "taken";
      addAll(tables, deliveries);
      tables.undispatched.delete(waiting);
      return "written";
    },

    claimDue: async (claim) => {
      const tables = open();
      const { deliveries } = tables;
      startTurns(tables, claim.now);
      const chosen = chooseFairly(dueDeliveries(deliveries.all(), claim.now), claim.limit, freeSlots(claim));
      return chosen.flatMap(({ businessId, id }) => {
        const delivery = deliveries.find(businessId, id);
        if (delivery === null) return [];
        const attempts = delivery.attempts + 1;
        const attemptsSinceRestart = delivery.attemptsSinceRestart + 1;
        const leased = { ...delivery, attempts, attemptsSinceRestart, lease: claim.lease, updatedAt: claim.now };
        deliveries.save(businessId, id, leased);
        return [leased];
      });
    },

    settle: async (settlement) => {
      const tables = open();
      const { businessId, deliveryId, fencingToken, attempt, refundedAttempts, status, nextAttemptAt, now } =
        settlement;
      const delivery = tables.deliveries.find(businessId, deliveryId);
      if (delivery === null || delivery.lease?.token !== fencingToken) return "lease-lost";
      const outcome = attempt === null ? refunded(delivery, refundedAttempts) : recorded(tables, delivery, attempt);
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
      const tables = open();
      if (nextTurns(tables).length > 0) return 0;
      const times = tables.deliveries.all().flatMap((delivery) => dueAt(delivery) ?? []);
      return times.length === 0 ? null : Math.min(...times);
    },
  };
}

function findUndispatched({ undispatched }: Tables, businessId: string, sequence: number): StoredEvent | undefined {
  for (const event of undispatched) {
    if (event.businessId === businessId && event.sequence === sequence) return event;
  }
  return undefined;
}

/** Adds all deliveries and counts their bytes. Throws IdTaken and adds none when an id is taken. */
export function addAll(tables: Tables, added: readonly Delivery[]): void {
  assertAllFree(tables, added);
  for (const body of addUncounted(tables, added)) {
    countUse(tables, body.deliveries[0].businessId, { deliveryBytes: bytesOfDeliveries([body]) });
  }
}

export function deliveryChange(tables: Tables, { delivery }: WriteOf<"delivery">): Change {
  assertAllFree(tables, [delivery]);
  return {
    added: { deliveryBytes: bytesOfDeliveries(shareBodies([delivery])) },
    apply: () => addUncounted(tables, [delivery]),
  };
}

/** Throws IdTaken when a planned delivery of the commit has the id of another one. */
export function assertPlannedFree(tables: Tables, { businessId, writes, deliveries }: StoreCommit): void {
  const written = writes.flatMap((write) => (write.kind === "delivery" ? [write.delivery] : []));
  const planned = deliveries?.deliveries.map(({ id }) => ({ businessId, id })) ?? [];
  assertAllFree(tables, [...written, ...planned]);
}

function assertAllFree({ deliveries }: Tables, added: readonly Pick<Delivery, "businessId" | "id">[]): void {
  const ids = new Set<string>();
  for (const { businessId, id } of added) {
    const name = `${id} in business ${businessId}`;
    if (ids.has(name)) throw new IdTaken(`duplicate delivery ${name}`);
    deliveries.assertFree(businessId, id);
    ids.add(name);
  }
}

function addUncounted(tables: Tables, added: readonly Delivery[]): readonly SharedBody[] {
  for (const delivery of added) tables.deliveries.add(delivery.businessId, delivery.id, delivery);
  const bodies = shareBodies(added);
  for (const body of bodies) {
    const [{ businessId, id }] = body.deliveries;
    tables.bodies.save(businessId, id, { bytes: bytesOfBody(body), deliveries: body.deliveries.length });
    for (const delivery of body.deliveries) tables.bodyOf.save(businessId, delivery.id, id);
  }
  return bodies;
}

/** When a claim may take the delivery; null = no claim may. */
function dueAt({ status, nextAttemptAt, lease }: Delivery): Instant | null {
  if (isFinished(status) || nextAttemptAt === null) return null;
  return Math.max(nextAttemptAt, lease?.until ?? nextAttemptAt);
}

function dueDeliveries(deliveries: readonly Delivery[], now: Instant): readonly DueDelivery[] {
  return deliveries.flatMap((delivery) => {
    const { businessId, subscriber, id, nextAttemptAt } = delivery;
    const isDue = (dueAt(delivery) ?? Number.POSITIVE_INFINITY) <= now;
    return isDue && nextAttemptAt !== null ? [{ businessId, subscriber, id, dueAt: nextAttemptAt }] : [];
  });
}

/** Adds the attempt. Throws an Error when its number is taken. */
function recorded(tables: Tables, { businessId, id }: Delivery, attempt: Attempt): Pick<Delivery, "responseCode"> {
  const earlier = tables.attempts.find(businessId, id) ?? [];
  if (earlier.some(({ number }) => number === attempt.number)) {
    throw new Error(`duplicate attempt ${attempt.number} of delivery ${id} in business ${businessId}`);
  }
  const made = [...earlier, attempt].slice(-MAX_LISTED_ATTEMPTS);
  tables.attempts.save(businessId, id, made);
  countUse(tables, businessId, { deliveryBytes: bytesOfMade(made) - bytesOfMade(earlier) });
  return { responseCode: attempt.responseCode };
}

/** What the attempts count for the quota. */
export function bytesOfMade(attempts: readonly Attempt[]): number {
  return bytesOfAttempts(Buffer.byteLength(attempts.map(attemptText).join(",")));
}

function refunded(
  { attempts, attemptsSinceRestart }: Delivery,
  refundedAttempts: number,
): Pick<Delivery, "attempts" | "attemptsSinceRestart"> {
  return { attempts: attempts - refundedAttempts, attemptsSinceRestart: attemptsSinceRestart - refundedAttempts };
}
