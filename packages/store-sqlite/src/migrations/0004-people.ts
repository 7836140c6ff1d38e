import type { Migration } from "../engine/migrations.js";

/** Versions of users, disabled users, one-time tokens and second factors. */
export const PEOPLE: Migration = {
  version: 4,
  sql: `
    ALTER TABLE budgetkit_users ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE budgetkit_users ADD COLUMN disabled_at INTEGER; -- null = may log in
    ALTER TABLE budgetkit_users ADD COLUMN one_time_token TEXT; -- JSON; null = none
    ALTER TABLE budgetkit_users ADD COLUMN second_factor TEXT; -- JSON; null = none
  `,
};
