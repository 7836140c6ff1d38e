import {
  asId,
  asInteger,
  asOneOf,
  chooseFairly,
  type DueClaim,
  type DueDelivery,
  freeSlots,
  type Row,
  SUBSCRIBER_KINDS,
  subscriberToFind,
} from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";

const DUE = "business_id, subscriber_kind, subscriber_id, id, due_at";
const SUBSCRIBER = "business_id, subscriber_kind, subscriber_id";

/**
 * The first delivery of each subscriber. Seeks from one subscriber to the next, so that it skips their backlogs. Without
 * `+`, which removes the affinity, SQLite uses the first column of the index alone.
 */
const HEADS = `WITH RECURSIVE heads (${DUE}) AS (
    SELECT * FROM (
      SELECT ${DUE} FROM budgetkit_delivery_queue ORDER BY ${SUBSCRIBER}, due_at, id LIMIT 1
    )
    UNION ALL
    SELECT next.business_id, next.subscriber_kind, next.subscriber_id, next.id, next.due_at
    FROM heads CROSS JOIN budgetkit_delivery_queue AS next
    WHERE (next.business_id, next.id) = (
      SELECT business_id, id FROM budgetkit_delivery_queue
      WHERE (${SUBSCRIBER}) > (+heads.business_id, +heads.subscriber_kind, +heads.subscriber_id)
      ORDER BY ${SUBSCRIBER}, due_at, id LIMIT 1
    )
  )`;

/**
 * Reads the deliveries that a claim takes, by the rule of `chooseFairly`. Reads at most a share of each subscriber, never a
 * whole backlog.
 */
export function dueChooser(connection: Connection): (claim: DueClaim) => readonly DueDelivery[] {
  const firstDue = connection.rows(
    `SELECT ${DUE} FROM budgetkit_delivery_queue WHERE due_at <= ? ORDER BY due_at, business_id, id LIMIT ?`,
  );
  const isOneBusiness = connection.value(
    `SELECT (SELECT min(business_id) FROM budgetkit_delivery_queue)
       = (SELECT max(business_id) FROM budgetkit_delivery_queue)`,
  );
  const dueHeads = connection.rows(`${HEADS} SELECT ${DUE} FROM heads WHERE due_at <= ?`);
  const dueOfSubscriber = connection.rows(
    `SELECT ${DUE} FROM budgetkit_delivery_queue
     WHERE business_id = ? AND subscriber_kind = ? AND subscriber_id = ? AND due_at <= ? ORDER BY due_at, id LIMIT ?`,
  );

  return (claim) => {
    const { now, limit } = claim;
    const slots = freeSlots(claim);
    const first = firstDue(now, limit).map(asDue);
    const chosen = chooseFairly(first, limit, slots);
    // The rule chooses from all that are due: from no others, or from later ones of the same business.
    if (first.length < limit) return chosen;
    if (chosen.length === limit && isOneBusiness() === 1) return chosen;

    // Where the rule does not choose the first delivery of a subscriber, it chooses none of that subscriber.
    const heads = chooseFairly(dueHeads(now).map(asDue), limit, slots);
    const due = heads.flatMap(({ businessId, subscriber }) => {
      const share = Math.min(limit, slots.ofSubscriber(businessId, subscriber));
      return dueOfSubscriber(...subscriberToFind(businessId, subscriber), now, share).map(asDue);
    });
    return chooseFairly(due, limit, slots);
  };
}

function asDue([businessId, kind, subscriberId, id, dueAt]: Row): DueDelivery {
  return {
    businessId: asId(businessId),
    subscriber: { kind: asOneOf(SUBSCRIBER_KINDS, kind), id: asId(subscriberId) },
    id: asId(id),
    dueAt: asInteger(dueAt),
  };
}
