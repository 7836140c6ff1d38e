import { type DueClaim, SUBSCRIBER_KINDS, type Subscriber } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { type SubscriberKey, UNFINISHED } from "./delivery-rows.js";
import { asInteger, asOneOf, type Row } from "./rows.js";

interface DueDelivery {
  readonly subscriber: SubscriberKey; // the same object for all deliveries of one subscriber
  readonly id: number;
  readonly dueAt: number;
}

/**
 * Chooses what a claim takes. Of so many deliveries none belongs to a subscriber beyond the first so many queues: those
 * are read, a share of each, and nothing of anybody's backlog.
 */
export function dueChooser(connection: Connection): (claim: DueClaim) => readonly DueDelivery[] {
  const dueQueues = connection.rows(
    `SELECT business_id, subscriber_kind, subscriber_id FROM budgetkit_delivery_queues
     WHERE due_at <= ? ORDER BY due_at LIMIT ?`,
  );
  const dueOfSubscriber = connection.rows(
    `SELECT id, due_at FROM budgetkit_deliveries
     WHERE business_id = ? AND subscriber_kind = ? AND subscriber_id = ? AND ${UNFINISHED} AND due_at <= ?
     ORDER BY due_at, id LIMIT ?`,
  );

  return ({ now, limit, perSubscriber, except }) => {
    const passedOver = new Set(except.map(nameOf));
    return dueQueues(now, limit + passedOver.size)
      .map(asSubscriberKey)
      .filter(([, kind, id]) => !passedOver.has(`${kind} ${id}`))
      .slice(0, limit)
      .flatMap((subscriber) =>
        dueOfSubscriber(...subscriber, now, perSubscriber).map(
          ([id, dueAt]): DueDelivery => ({ subscriber, id: asInteger(id), dueAt: asInteger(dueAt) }),
        ),
      )
      .sort((a, b) => a.dueAt - b.dueAt || a.id - b.id)
      .slice(0, limit);
  };
}

function asSubscriberKey([businessId, kind, id]: Row): SubscriberKey {
  return [asInteger(businessId), asOneOf(SUBSCRIBER_KINDS, kind), asInteger(id)];
}

function nameOf({ kind, id }: Subscriber): string {
  return `${kind} ${id}`;
}
