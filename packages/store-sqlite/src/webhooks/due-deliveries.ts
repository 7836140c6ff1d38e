import {
  asId,
  asInteger,
  asOneOf,
  chooseFairly,
  type DueClaim,
  type DueDelivery,
  freeSlots,
  idToFind,
  memoize,
  type Row,
  SUBSCRIBER_KINDS,
  subscriberToFind,
} from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { UNFINISHED } from "./delivery-rows.js";
import { firstShares, placeholders } from "./fair-shares.js";

/** A subscriber with due deliveries. */
type Queue = Pick<DueDelivery, "businessId" | "subscriber">;

/**
 * Reads the deliveries that a claim takes, by the rule of `chooseFairly`. Reads at most a share of each queue, never a
 * whole backlog.
 */
export function dueChooser(connection: Connection): (claim: DueClaim) => readonly DueDelivery[] {
  const readQueues = queueReader(connection);
  const dueOfSubscriber = connection.rows(
    `SELECT id, due_at FROM budgetkit_deliveries
     WHERE business_id = ? AND subscriber_kind = ? AND subscriber_id = ? AND ${UNFINISHED} AND due_at <= ?
     ORDER BY due_at, id LIMIT ?`,
  );

  return (claim) => {
    const slots = freeSlots(claim);
    const { queues, share } = readQueues(claim);
    const due = queues.flatMap(({ businessId, subscriber }) =>
      dueOfSubscriber(
        ...subscriberToFind(businessId, subscriber),
        claim.now,
        Math.min(share, slots.ofSubscriber(businessId, subscriber)),
      ).map(([id, dueAt]) => ({ businessId, subscriber, id: asId(id), dueAt: asInteger(dueAt) })),
    );
    return chooseFairly(due, claim.limit, slots);
  };
}

/** The queues from which a claim is served, and how many deliveries of each it may need. */
function queueReader(connection: Connection): (claim: DueClaim) => { queues: readonly Queue[]; share: number } {
  const dueQueues = memoize((without) =>
    connection.rows(
      `SELECT business_id, subscriber_kind, subscriber_id FROM budgetkit_delivery_queues
       WHERE due_at <= ? AND business_id NOT IN (${without}) ORDER BY due_at LIMIT ?`,
    ),
  );

  return (claim) => {
    const { now, limit } = claim;
    const slots = freeSlots(claim);

    /** The first `count` due queues of other businesses, at most `share` of each business. */
    const queuesWithout = (businesses: readonly string[], share: number, count: number) =>
      firstShares<Queue>(
        {
          read: (cut, rest) => {
            const without = [...businesses, ...cut].map(idToFind);
            return dueQueues(placeholders(without))(now, ...without, rest + slots.fullSubscribers)
              .map(asQueue)
              .filter(({ businessId, subscriber }) => slots.ofSubscriber(businessId, subscriber) > 0)
              .slice(0, rest);
          },
          businessOf: ({ businessId }) => businessId,
          shareOf: (businessId) => Math.min(share, slots.ofBusiness(businessId)),
        },
        count,
      );

    // Businesses without calls come first. When they fill the claim, one delivery of each is enough.
    const idle = queuesWithout(slots.busyBusinesses, 1, limit);
    if (idle.length === limit) return { queues: idle, share: 1 };
    // Otherwise `idle` has all of them, and each takes a slot before any business takes more than `share`.
    const share = limit - idle.length + 1;
    const full = slots.busyBusinesses.filter((businessId) => slots.ofBusiness(businessId) === 0);
    const businesses = idle.length + slots.busyBusinesses.length;
    return { queues: queuesWithout(full, share, share * businesses), share };
  };
}

function asQueue([businessId, kind, id]: Row): Queue {
  return { businessId: asId(businessId), subscriber: { kind: asOneOf(SUBSCRIBER_KINDS, kind), id: asId(id) } };
}
