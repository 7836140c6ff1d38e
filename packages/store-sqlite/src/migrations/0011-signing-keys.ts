import type { Migration } from "../engine/migrations.js";

/** The key pairs that sign the evidence of acceptances; the private part is encrypted. */
export const SIGNING_KEYS: Migration = {
  version: 11,
  sql: `
    CREATE TABLE budgetkit_signing_keys (
      number INTEGER PRIMARY KEY,
      kid TEXT NOT NULL,
      public_key TEXT NOT NULL,
      sealed_private_key TEXT NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT;
  `,
};
