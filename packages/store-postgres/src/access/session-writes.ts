import { uncounted } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import type { WriteHandlers } from "../commit/handlers.js";
import { textToFind } from "../engine/arguments.js";
import type { Statements } from "../engine/statements.js";

const LIVE = "business_id = $1 AND id = $2 AND ended_at IS NULL";

const NOTE_LOGIN = `UPDATE @users SET last_login_at = $3
  WHERE business_id = $1 AND id = $2 AND (last_login_at IS NULL OR last_login_at < $3)`;

type SessionWrites = Pick<WriteHandlers, "session" | "session-refresh" | "session-end" | "sessions-end">;

export function sessionWrites(statements: Statements): SessionWrites {
  const isActive = statements.exists(
    "SELECT FROM @users WHERE business_id = $1 AND id = $2 AND password_hash = $3 AND disabled_at IS NULL",
  );
  const insert = statements.insert("@sessions", {
    id: "text",
    user_id: "text",
    refresh_hash: "text",
    refresh_expires_at: "bigint",
    created_at: "bigint",
    ended_at: "bigint",
  });
  const noteLogin = statements.write(NOTE_LOGIN);
  const isLive = statements.exists(`SELECT FROM @sessions WHERE ${LIVE}`);
  const isRefreshable = statements.exists(
    `SELECT FROM @sessions WHERE ${LIVE} AND refresh_hash = $3 AND refresh_expires_at > $4`,
  );
  const refresh = statements.write(
    "UPDATE @sessions SET refresh_hash = $3, refresh_expires_at = $4 WHERE business_id = $1 AND id = $2",
  );
  const end = statements.write(`UPDATE @sessions SET ended_at = $3 WHERE ${LIVE}`);
  const endAll = statements.write(
    `UPDATE @sessions SET ended_at = $3
     WHERE business_id = $1 AND user_id = $2 AND ended_at IS NULL AND id IS DISTINCT FROM $4`,
  );

  return {
    session: ({ session, passwordHash }) => {
      const { id, userId, refreshHash, refreshExpiresAt, createdAt, endedAt } = session;
      idToWrite(session.businessId);
      const row = [id, userId, refreshHash, refreshExpiresAt, createdAt, endedAt] as const;
      return async (open) =>
        (await isActive(open, idToFind(userId), textToFind(passwordHash)))
          ? uncounted(() => {
              insert(open, ...row);
              noteLogin(open, idToFind(userId), createdAt);
            })
          : "stale";
    },

    "session-refresh": ({ rotation, now }) => {
      const { expectedHash, newHash, newExpiresAt } = rotation;
      const id = textToFind(rotation.sessionId);
      return async (open) =>
        (await isRefreshable(open, id, textToFind(expectedHash), now))
          ? uncounted(() => refresh(open, id, newHash, newExpiresAt))
          : "stale";
    },

    "session-end": ({ sessionId, at }) => {
      const id = textToFind(sessionId);
      return async (open) => ((await isLive(open, id)) ? uncounted(() => end(open, id, at)) : "missing");
    },

    "sessions-end":
      ({ userId, at, except }) =>
      async (open) =>
        uncounted(() => endAll(open, textToFind(userId), at, except)),
  };
}
