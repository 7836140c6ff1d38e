import type { Migration } from "../engine/migrations.js";

/** No index of the queue has a column that a claim changes: a claim then writes the rows alone. */
export const INDEXES_OF_NEXT_ATTEMPTS: Migration = {
  version: 21,
  sql: `
    DROP INDEX budgetkit_delivery_queue_by_due;
    DROP INDEX budgetkit_delivery_queue_of_subscriber;
    CREATE INDEX budgetkit_delivery_queue_by_due ON budgetkit_delivery_queue (next_attempt_at)
      WHERE next_attempt_at IS NOT NULL;
    -- What follows the id is for lists, so that they read no rows that they skip.
    CREATE INDEX budgetkit_delivery_queue_of_subscriber ON budgetkit_delivery_queue (
      business_id, subscriber_kind, subscriber_id, next_attempt_at, id, created_at, status, event_type
    );
  `,
};
