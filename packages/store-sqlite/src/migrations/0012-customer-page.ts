import type { Migration } from "../engine/migrations.js";

/** The views of public links, by channel; the blobs of logos, so that the sweep keeps them. */
export const CUSTOMER_PAGE: Migration = {
  version: 12,
  sql: `
    CREATE TABLE budgetkit_link_views (
      business_id INTEGER NOT NULL,
      budget_id INTEGER NOT NULL,
      channel TEXT NOT NULL,
      views INTEGER NOT NULL,
      first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL,
      PRIMARY KEY (business_id, budget_id, channel)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX budgetkit_businesses_by_logo ON budgetkit_businesses (profile ->> '$.logo.blobId')
      WHERE profile ->> '$.logo.blobId' IS NOT NULL;
  `,
};
