import type { Migration } from "./migrations.js";

/** How many keys of a business are not revoked is counted before each new one. */
export const KEY_CAPS_MIGRATION: Migration = {
  version: 12,
  sql: `
    CREATE INDEX budgetkit_keys_alive ON budgetkit_keys (business_id) WHERE document ->> 'status' <> 'REVOKED';
  `,
};
