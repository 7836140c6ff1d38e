import type { Migration } from "../engine/migrations.js";

/** Events, idempotency claims, webhooks, usage and integrations. */
export const EVENTS: Migration = {
  version: 2,
  sql: `
    CREATE TABLE budgetkit_events (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      business_id INTEGER NOT NULL,
      id TEXT NOT NULL,
      type TEXT NOT NULL,
      occurred_at INTEGER NOT NULL,
      subject_id TEXT NOT NULL,
      document TEXT NOT NULL
    ) STRICT;
    CREATE INDEX budgetkit_events_of_business ON budgetkit_events (business_id, sequence);
    CREATE INDEX budgetkit_events_of_subject ON budgetkit_events (business_id, subject_id, sequence);
    CREATE INDEX budgetkit_events_by_age ON budgetkit_events (occurred_at);

    -- Events that wait for their fan-out. The rows of budgetkit_events never change.
    CREATE TABLE budgetkit_undispatched_events (
      sequence INTEGER PRIMARY KEY,
      business_id INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE budgetkit_claims (
      business_id INTEGER NOT NULL,
      key TEXT NOT NULL,
      claim_id TEXT NOT NULL,
      fingerprint TEXT NOT NULL,
      lease_until INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      response TEXT, -- null = not completed
      PRIMARY KEY (business_id, key)
    ) STRICT;
    CREATE INDEX budgetkit_claims_by_expiry ON budgetkit_claims (expires_at);

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
    CREATE INDEX budgetkit_endpoints_with_former_secret ON budgetkit_endpoints (document ->> 'previousSecretUntil')
      WHERE document ->> 'previousSecretUntil' IS NOT NULL;

    -- Every claim and settlement rewrites the row, so the body, written once and possibly large, has its own table.
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
      -- When a claim may take it; null = no claim may.
      due_at INTEGER AS (
        CASE WHEN status IN ('pending', 'retrying')
          THEN max(next_attempt_at, coalesce(lease_until, next_attempt_at)) END
      ) VIRTUAL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_deliveries_unfinished
      ON budgetkit_deliveries (business_id, subscriber_kind, subscriber_id, due_at, id)
      WHERE status IN ('pending', 'retrying');
    CREATE INDEX budgetkit_deliveries_finished ON budgetkit_deliveries (updated_at)
      WHERE status IN ('delivered', 'failed', 'cancelled');
    -- Status and type are last, so that every count is answered from an index.
    CREATE INDEX budgetkit_deliveries_by_creation ON budgetkit_deliveries (business_id, created_at, id, event_type);
    CREATE INDEX budgetkit_deliveries_by_status
      ON budgetkit_deliveries (business_id, status, created_at, id, event_type);
    CREATE INDEX budgetkit_deliveries_of_subscriber
      ON budgetkit_deliveries (business_id, subscriber_kind, subscriber_id, created_at, id, status, event_type);
    CREATE INDEX budgetkit_deliveries_undelivered
      ON budgetkit_deliveries (business_id, subscriber_kind, subscriber_id, created_at, id)
      WHERE status IN ('failed', 'cancelled') AND event_id IS NOT NULL;

    CREATE TABLE budgetkit_delivery_bodies (
      business_id INTEGER NOT NULL,
      delivery_id INTEGER NOT NULL,
      body TEXT NOT NULL,
      origin TEXT, -- JSON; null = the event has no known origin
      PRIMARY KEY (business_id, delivery_id)
    ) STRICT;

    -- When the first delivery of each subscriber is due. A claim reads queues, so one backlog does not slow the others.
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

    CREATE TABLE budgetkit_usage (
      business_id INTEGER NOT NULL,
      key_id INTEGER NOT NULL, -- -1 = all keys of the business
      grain TEXT NOT NULL,
      at INTEGER NOT NULL,
      method TEXT NOT NULL,
      path TEXT NOT NULL,
      requests INTEGER NOT NULL,
      errors INTEGER NOT NULL,
      refusals INTEGER NOT NULL,
      duration_us INTEGER NOT NULL,
      PRIMARY KEY (business_id, key_id, grain, at, path, method)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX budgetkit_usage_by_age ON budgetkit_usage (grain, at);

    CREATE TABLE budgetkit_integrations (
      business_id INTEGER NOT NULL,
      id INTEGER NOT NULL,
      version INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, id)
    ) STRICT;
    CREATE INDEX budgetkit_integrations_by_creation ON budgetkit_integrations (business_id, created_at, id);
  `,
  replaces: "e81d1d7bb9aef2d7c5ffb5621138b8e150b602a0612c21238f80a1d36c2bb045",
};
