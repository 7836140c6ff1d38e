import { chooseFairly, type DueClaim, type DueDelivery, freeSlots, SUBSCRIBER_KINDS } from "@budgetkit/core/store";
import { asId, asInteger, asOneOf, type Row, subscriberToFind } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";

const DUE = "business_id, subscriber_kind, subscriber_id, id, next_attempt_at";
const SUBSCRIBER = "business_id, subscriber_kind, subscriber_id";

/** Of two equal moments: the first goes along an index, the second leaves out the few deliveries that are leased. */
const IS_DUE = "next_attempt_at <= ? AND due_at <= ?";

/**
 * The first due delivery of each subscriber. Seeks from one subscriber to the next, so that it skips their backlogs.
 * Without `+`, which removes the affinity, SQLite uses the first column of the index alone.
 */
const HEADS = `WITH RECURSIVE subscribers (${SUBSCRIBER}) AS (
    SELECT * FROM (SELECT ${SUBSCRIBER} FROM budgetkit_delivery_queue ORDER BY ${SUBSCRIBER} LIMIT 1)
    UNION ALL
    SELECT next.business_id, next.subscriber_kind, next.subscriber_id
    FROM subscribers AS last CROSS JOIN budgetkit_delivery_queue AS next
    WHERE (next.business_id, next.id) = (
      SELECT business_id, id FROM budgetkit_delivery_queue
      WHERE (${SUBSCRIBER}) > (+last.business_id, +last.subscriber_kind, +last.subscriber_id)
      ORDER BY ${SUBSCRIBER} LIMIT 1
    )
  )
  SELECT first.business_id, first.subscriber_kind, first.subscriber_id, first.id, first.next_attempt_at
  FROM subscribers CROSS JOIN budgetkit_delivery_queue AS first
  WHERE first.business_id = subscribers.business_id AND first.id = (
    SELECT id FROM budgetkit_delivery_queue AS due
    WHERE due.business_id = subscribers.business_id AND due.subscriber_kind = subscribers.subscriber_kind
      AND due.subscriber_id = subscribers.subscriber_id AND ${IS_DUE}
    ORDER BY next_attempt_at, id LIMIT 1
  )`;

/**
 * Reads the deliveries that a claim takes, by the rule of `chooseFairly`. Reads at most a share of each subscriber, never a
 * whole backlog.
 */
export function dueChooser(connection: Connection): (claim: DueClaim) => readonly DueDelivery[] {
  const firstDue = connection.rows(
    `SELECT ${DUE} FROM budgetkit_delivery_queue WHERE ${IS_DUE} ORDER BY next_attempt_at, business_id, id LIMIT ?`,
  );
  const isOneBusiness = connection.value(
    `SELECT (SELECT min(business_id) FROM budgetkit_delivery_queue)
       = (SELECT max(business_id) FROM budgetkit_delivery_queue)`,
  );
  const dueHeads = connection.rows(HEADS);
  const dueOfSubscriber = connection.rows(
    `SELECT ${DUE} FROM budgetkit_delivery_queue
     WHERE business_id = ? AND subscriber_kind = ? AND subscriber_id = ? AND ${IS_DUE}
     ORDER BY next_attempt_at, id LIMIT ?`,
  );

  return (claim) => {
    const { now, limit } = claim;
    const slots = freeSlots(claim);
    const first = firstDue(now, now, limit).map(asDue);
    const chosen = chooseFairly(first, limit, slots);
    // The rule chooses from all that are due: from no others, or from later ones of the same business.
    if (first.length < limit) return chosen;
    if (chosen.length === limit && isOneBusiness() === 1) return chosen;

    // Where the rule does not choose the first delivery of a subscriber, it chooses none of that subscriber.
    const heads = chooseFairly(dueHeads(now, now).map(asDue), limit, slots);
    const due = heads.flatMap(({ businessId, subscriber }) => {
      const share = Math.min(limit, slots.ofSubscriber(businessId, subscriber));
      return dueOfSubscriber(...subscriberToFind(businessId, subscriber), now, now, share).map(asDue);
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
