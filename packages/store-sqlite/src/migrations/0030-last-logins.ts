import type { Migration } from "../engine/migrations.js";

/** When each user last logged in. Of users with sessions it is known; of others it is from their next login on. */
export const LAST_LOGINS: Migration = {
  version: 30,
  sql: `
    ALTER TABLE budgetkit_users ADD COLUMN last_login_at INTEGER; -- null = never
    UPDATE budgetkit_users SET last_login_at = (
      SELECT max(sessions.created_at) FROM budgetkit_sessions AS sessions
      WHERE sessions.business_id = budgetkit_users.business_id AND sessions.user_id = CAST(budgetkit_users.id AS TEXT)
    );
  `,
};
