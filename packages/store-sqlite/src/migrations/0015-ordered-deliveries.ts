import type { Migration } from "../engine/migrations.js";

/** The place of ordered deliveries among those of one subject to one subscriber. Of other deliveries it is null. */
export const ORDERED_DELIVERIES: Migration = {
  version: 15,
  sql: `
    ALTER TABLE budgetkit_delivery_queue ADD COLUMN ordered_subject TEXT; -- null = not ordered
    ALTER TABLE budgetkit_delivery_queue ADD COLUMN ordered_sequence INTEGER;
    ALTER TABLE budgetkit_delivery_log ADD COLUMN ordered_subject TEXT;
    ALTER TABLE budgetkit_delivery_log ADD COLUMN ordered_sequence INTEGER;
    -- The delivery that has its turn comes first, then those that wait.
    CREATE INDEX budgetkit_delivery_queue_in_order ON budgetkit_delivery_queue (
      business_id, subscriber_kind, subscriber_id, ordered_subject, next_attempt_at IS NULL, ordered_sequence, id
    ) WHERE ordered_subject IS NOT NULL;

    -- Subjects of which a delivery was added or has ended since the last claim.
    CREATE TABLE budgetkit_delivery_turns (
      position INTEGER PRIMARY KEY,
      business_id INTEGER NOT NULL,
      subscriber_kind TEXT NOT NULL,
      subscriber_id INTEGER NOT NULL,
      ordered_subject TEXT NOT NULL
    ) STRICT;
  `,
};
