import type { Migration } from "../engine/migrations.js";

/**
 * Deliveries that wait, and those that are finished, each in a table of its own: claims and settlements then write few and
 * narrow rows. The deliveries of an event share its payload.
 */
export const DELIVERY_QUEUE: Migration = {
  version: 8,
  sql: `
    -- The payload of a delivery is head || id of the delivery || tail, or head alone.
    CREATE TABLE budgetkit_payloads (
      id INTEGER PRIMARY KEY,
      deliveries INTEGER NOT NULL, -- that have it; without any it is removed
      head TEXT NOT NULL,
      tail TEXT,
      origin TEXT -- JSON; null = the event has no known origin
    ) STRICT;
    INSERT INTO budgetkit_payloads (id, deliveries, head, origin)
    SELECT rowid, 1, body, origin FROM budgetkit_delivery_bodies;

    CREATE TABLE budgetkit_delivery_queue (
      business_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      subscriber_kind TEXT NOT NULL,
      subscriber_id INTEGER NOT NULL,
      event_id TEXT,
      event_type TEXT NOT NULL,
      status TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      attempts_in_round INTEGER NOT NULL,
      next_attempt_at INTEGER,
      deadline_at INTEGER NOT NULL,
      lease_id TEXT,
      lease_until INTEGER,
      response_code INTEGER,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      payload_id INTEGER NOT NULL,
      trail TEXT, -- the last attempts, as JSON; null = none
      -- When a claim may take it. The largest number = never.
      due_at INTEGER AS (
        CASE WHEN next_attempt_at IS NULL THEN 9007199254740991
          ELSE max(next_attempt_at, coalesce(lease_until, next_attempt_at)) END
      ) VIRTUAL,
      PRIMARY KEY (business_id, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE budgetkit_delivery_log (
      business_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      subscriber_kind TEXT NOT NULL,
      subscriber_id INTEGER NOT NULL,
      event_id TEXT,
      event_type TEXT NOT NULL,
      status TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      attempts_in_round INTEGER NOT NULL,
      deadline_at INTEGER NOT NULL,
      response_code INTEGER,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL,
      payload_id INTEGER NOT NULL,
      trail TEXT,
      PRIMARY KEY (business_id, id)
    ) STRICT, WITHOUT ROWID;

    ${move("queue", ", next_attempt_at, lease_id, lease_until", "status IN ('pending', 'retrying')")}
    ${move("log", "", "status IN ('delivered', 'failed', 'cancelled')")}
    CREATE INDEX budgetkit_delivery_queue_by_due ON budgetkit_delivery_queue (due_at);
    -- What follows the id is for lists, so that they read no rows that they skip.
    CREATE INDEX budgetkit_delivery_queue_of_subscriber
      ON budgetkit_delivery_queue (business_id, subscriber_kind, subscriber_id, due_at, id, created_at, status, event_type);
    CREATE INDEX budgetkit_delivery_log_by_creation
      ON budgetkit_delivery_log (business_id, created_at, id, status, event_type);
    CREATE INDEX budgetkit_delivery_log_of_subscriber
      ON budgetkit_delivery_log (business_id, subscriber_kind, subscriber_id, created_at, id, status, event_type);
    CREATE INDEX budgetkit_delivery_log_by_age ON budgetkit_delivery_log (updated_at);

    DROP TABLE budgetkit_deliveries;
    DROP TABLE budgetkit_delivery_bodies;
    DROP TABLE budgetkit_delivery_queues;
    DROP TABLE budgetkit_attempts;
  `,
};

function move(table: "queue" | "log", others: string, where: string): string {
  const columns = `business_id, id, subscriber_kind, subscriber_id, event_id, event_type, status, attempts,
      attempts_in_round, deadline_at, response_code, created_at, updated_at${others}`;
  return `
    INSERT INTO budgetkit_delivery_${table} (${columns}, payload_id, trail)
    SELECT ${columns},
      (SELECT rowid FROM budgetkit_delivery_bodies AS bodies
       WHERE bodies.business_id = deliveries.business_id AND bodies.delivery_id = deliveries.id),
      (SELECT json_group_array(
         json_array(number, started_at, duration_ms, response_code, error, response_body) ORDER BY number
       ) FROM (
         SELECT * FROM budgetkit_attempts AS attempts
         WHERE attempts.business_id = deliveries.business_id AND attempts.delivery_id = deliveries.id
         ORDER BY number DESC LIMIT 100
       ) HAVING count(*) > 0)
    FROM budgetkit_deliveries AS deliveries WHERE ${where} ORDER BY business_id, id;`;
}
