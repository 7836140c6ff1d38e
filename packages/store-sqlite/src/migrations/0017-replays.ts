import type { Migration } from "../engine/migrations.js";

/** The last replay to each endpoint. */
export const REPLAYS: Migration = {
  version: 17,
  sql: `
    CREATE TABLE budgetkit_replays (
      business_id INTEGER NOT NULL,
      endpoint_id INTEGER NOT NULL,
      version INTEGER NOT NULL,
      status TEXT NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (business_id, endpoint_id)
    ) STRICT;
    CREATE INDEX budgetkit_replays_running ON budgetkit_replays (business_id, endpoint_id) WHERE status = 'running';
  `,
};
