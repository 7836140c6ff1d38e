import type { Migration } from "./migrations.js";

/**
 * Webhooks. A delivery is narrow and rewritten by each claim and settlement; its body, which is written once and may be
 * large, has a table of its own. Events that were there before count as fanned out.
 */
export const WEBHOOK_MIGRATION: Migration = {
  version: 2,
  sql: `
    CREATE TABLE budgetkit_endpoints (
      business_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      version INTEGER NOT NULL,
      status TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_endpoints_by_creation ON budgetkit_endpoints (business_id, created_at, id);

    UPDATE budgetkit_keys SET document = json_insert(
      document, '$.previousSealedWebhookSecret', NULL, '$.previousWebhookSecretUntil', NULL
    );
    CREATE INDEX budgetkit_keys_with_webhook ON budgetkit_keys (business_id, id)
      WHERE document ->> 'status' = 'ACTIVE' AND document ->> 'webhookUrl' IS NOT NULL;

    -- What waits for its fan-out. The events themselves are never rewritten.
    CREATE TABLE budgetkit_undispatched_events (
      sequence INTEGER PRIMARY KEY,
      business_id INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX budgetkit_events_by_age ON budgetkit_events (occurred_at);

    CREATE TABLE budgetkit_deliveries (
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
      -- From when on it may be claimed; null = never, as it stands.
      due_at INTEGER AS (
        CASE WHEN status IN ('pending', 'retrying') THEN max(next_attempt_at, coalesce(lease_until, next_attempt_at)) END
      ) VIRTUAL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_deliveries_unfinished
      ON budgetkit_deliveries (business_id, subscriber_kind, subscriber_id, due_at, id)
      WHERE status IN ('pending', 'retrying');
    CREATE INDEX budgetkit_deliveries_finished ON budgetkit_deliveries (updated_at)
      WHERE status IN ('delivered', 'failed', 'cancelled');
    -- Status and type at the end let every count stay within an index.
    CREATE INDEX budgetkit_deliveries_by_creation ON budgetkit_deliveries (business_id, created_at, id, event_type);
    CREATE INDEX budgetkit_deliveries_by_status
      ON budgetkit_deliveries (business_id, status, created_at, id, event_type);
    CREATE INDEX budgetkit_deliveries_of_subscriber
      ON budgetkit_deliveries (business_id, subscriber_kind, subscriber_id, created_at, id, status, event_type);

    CREATE TABLE budgetkit_delivery_bodies (
      business_id INTEGER NOT NULL,
      delivery_id INTEGER NOT NULL,
      body TEXT NOT NULL,
      PRIMARY KEY (business_id, delivery_id)
    ) STRICT;

    -- When the first delivery of each subscriber falls due: a backlog of one costs a claim for the others nothing.
    CREATE TABLE budgetkit_delivery_queues (
      business_id INTEGER NOT NULL,
      subscriber_kind TEXT NOT NULL,
      subscriber_id INTEGER NOT NULL,
      due_at INTEGER NOT NULL,
      PRIMARY KEY (business_id, subscriber_kind, subscriber_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX budgetkit_delivery_queues_by_due ON budgetkit_delivery_queues (due_at);

    CREATE TABLE budgetkit_attempts (
      business_id INTEGER NOT NULL,
      delivery_id INTEGER NOT NULL,
      number INTEGER NOT NULL,
      started_at INTEGER NOT NULL,
      duration_ms INTEGER NOT NULL,
      response_code INTEGER,
      error TEXT,
      response_body TEXT,
      PRIMARY KEY (business_id, delivery_id, number)
    ) STRICT;
  `,
};
