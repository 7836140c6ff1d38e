import type { Migration } from "./migrations.js";

/** The round of health that an endpoint is in; until now there was but one. */
export const WEBHOOK_CAPS_MIGRATION: Migration = {
  version: 9,
  sql: `
    UPDATE budgetkit_endpoints SET document = json_insert(document, '$.healthRound', 1);

    -- What a recovery takes: what its receiver never had, tests left out.
    CREATE INDEX budgetkit_deliveries_undelivered
      ON budgetkit_deliveries (business_id, subscriber_kind, subscriber_id, created_at, id)
      WHERE status IN ('failed', 'cancelled') AND event_id IS NOT NULL;

    -- Secrets that were replaced, until they are cleared.
    CREATE INDEX budgetkit_keys_with_former_secret ON budgetkit_keys (document ->> 'previousWebhookSecretUntil')
      WHERE document ->> 'previousWebhookSecretUntil' IS NOT NULL;
    CREATE INDEX budgetkit_endpoints_with_former_secret ON budgetkit_endpoints (document ->> 'previousSecretUntil')
      WHERE document ->> 'previousSecretUntil' IS NOT NULL;
  `,
};
