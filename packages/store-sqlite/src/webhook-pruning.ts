import type { WebhookStore } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { FINISHED } from "./delivery-rows.js";

/** The order makes the choice the same for each of the statements that follow one another. */
const OLD_DELIVERIES = `FROM budgetkit_deliveries WHERE ${FINISHED} AND updated_at < ? ORDER BY updated_at, rowid LIMIT ?`;

export function sqlitePruning(connection: Connection): Pick<WebhookStore, "pruneDeliveries"> {
  const pruneAttempts = connection.command(
    `DELETE FROM budgetkit_attempts WHERE (business_id, delivery_id) IN (SELECT business_id, id ${OLD_DELIVERIES})`,
  );
  const pruneBodies = connection.command(
    `DELETE FROM budgetkit_delivery_bodies WHERE (business_id, delivery_id) IN (SELECT business_id, id ${OLD_DELIVERIES})`,
  );
  const pruneDeliveries = connection.command(
    `DELETE FROM budgetkit_deliveries WHERE rowid IN (SELECT rowid ${OLD_DELIVERIES})`,
  );
  const pruneEvents = connection.command(
    `DELETE FROM budgetkit_events WHERE sequence IN (
       SELECT sequence FROM budgetkit_events AS events
       WHERE occurred_at < ?
         AND NOT EXISTS (SELECT 1 FROM budgetkit_undispatched_events AS waiting WHERE waiting.sequence = events.sequence)
       ORDER BY occurred_at, sequence LIMIT ?
     )`,
  );

  return {
    pruneDeliveries: (before, limit) =>
      connection.write(() => {
        pruneAttempts(before, limit);
        pruneBodies(before, limit);
        return pruneDeliveries(before, limit) + pruneEvents(before, limit);
      }),
  };
}
