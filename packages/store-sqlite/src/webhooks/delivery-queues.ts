import { asInteger, orNull, type SubscriberKey } from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { UNFINISHED } from "./delivery-rows.js";

const OF_SUBSCRIBER = "business_id = ? AND subscriber_kind = ? AND subscriber_id = ?";

/**
 * Records when the first delivery of a subscriber is due. Call it after every change of one of its deliveries, in the
 * same transaction.
 */
export function queueKeeper(connection: Connection): (subscriber: SubscriberKey) => void {
  const first = connection.value(
    `SELECT due_at FROM budgetkit_deliveries WHERE ${OF_SUBSCRIBER} AND ${UNFINISHED} AND due_at IS NOT NULL
     ORDER BY due_at LIMIT 1`,
  );
  const save = connection.command(
    `INSERT INTO budgetkit_delivery_queues (business_id, subscriber_kind, subscriber_id, due_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (business_id, subscriber_kind, subscriber_id) DO UPDATE SET due_at = excluded.due_at
     WHERE due_at <> excluded.due_at`,
  );
  const remove = connection.command(`DELETE FROM budgetkit_delivery_queues WHERE ${OF_SUBSCRIBER}`);

  return (subscriber) => {
    const dueAt = orNull(first(...subscriber), asInteger);
    if (dueAt === null) remove(...subscriber);
    else save(...subscriber, dueAt);
  };
}
