import { type AccessStore, uncounted } from "@budgetkit/core/store";
import { asInteger, asSession, asText, idToFind, idToWrite, orNull, SESSION_COLUMNS } from "@budgetkit/store-kit";
import type { WriteHandlers } from "../commit/handlers.js";
import type { Connection } from "../engine/connection.js";

const LIVE = "business_id = ? AND id = ? AND ended_at IS NULL";

type SessionReads = Pick<AccessStore, "findSession" | "countLiveSessions" | "pruneSessions">;

export function sqliteSessions(connection: Connection): SessionReads {
  const find = connection.row(`SELECT ${SESSION_COLUMNS} FROM budgetkit_sessions WHERE business_id = ? AND id = ?`);
  const countLive = connection.rows(
    `SELECT user_id, count(*) FROM budgetkit_sessions
     WHERE business_id = ? AND ended_at IS NULL AND refresh_expires_at > ?
       AND user_id IN (SELECT value FROM json_each(?)) GROUP BY user_id`,
  );
  return {
    findSession: (businessId, id) => connection.read(() => orNull(find(idToFind(businessId), id), asSession)),

    countLiveSessions: async (businessId, userIds, now) => {
      const given = [idToFind(businessId), now, JSON.stringify(userIds)] as const;
      const rows = await connection.read(() => countLive(...given));
      return new Map(rows.map(([userId, count]) => [asText(userId), asInteger(count)]));
    },

    pruneSessions: sessionPruner(connection),
  };
}

type SessionWrites = Pick<WriteHandlers, "session" | "session-refresh" | "session-end" | "sessions-end">;

export function sessionWrites(connection: Connection): SessionWrites {
  const isActive = connection.exists(
    "SELECT 1 FROM budgetkit_users WHERE business_id = ? AND id = ? AND password_hash = ? AND disabled_at IS NULL",
  );
  const insert = connection.command(`INSERT INTO budgetkit_sessions (${SESSION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const noteLogin = connection.command(
    `UPDATE budgetkit_users SET last_login_at = ?
     WHERE business_id = ? AND id = ? AND (last_login_at IS NULL OR last_login_at < ?)`,
  );
  const isLive = connection.exists(`SELECT 1 FROM budgetkit_sessions WHERE ${LIVE}`);
  const isRefreshable = connection.exists(
    `SELECT 1 FROM budgetkit_sessions WHERE ${LIVE} AND refresh_hash = ? AND refresh_expires_at > ?`,
  );
  const refresh = connection.command(
    "UPDATE budgetkit_sessions SET refresh_hash = ?, refresh_expires_at = ? WHERE business_id = ? AND id = ?",
  );
  const end = connection.command(`UPDATE budgetkit_sessions SET ended_at = ? WHERE ${LIVE}`);
  const endAll = connection.command(
    `UPDATE budgetkit_sessions SET ended_at = ?
     WHERE business_id = ? AND user_id = ? AND ended_at IS NULL AND id IS NOT ?`,
  );

  return {
    session: ({ session, passwordHash }) => {
      const { id, userId, refreshHash, refreshExpiresAt, createdAt, endedAt } = session;
      const business = idToWrite(session.businessId);
      const row = [business, id, userId, refreshHash, refreshExpiresAt, createdAt, endedAt] as const;
      const user = idToFind(userId);
      return () =>
        isActive(business, user, passwordHash)
          ? uncounted(() => {
              insert(...row);
              noteLogin(createdAt, business, user, createdAt);
            })
          : "stale";
    },

    "session-refresh": ({ rotation, now }) => {
      const { businessId, sessionId, expectedHash, newHash, newExpiresAt } = rotation;
      const key = [idToFind(businessId), sessionId] as const;
      return () =>
        isRefreshable(...key, expectedHash, now)
          ? uncounted(() => void refresh(newHash, newExpiresAt, ...key))
          : "stale";
    },

    "session-end": ({ sessionId, at }, businessId) => {
      const key = [idToFind(businessId), sessionId] as const;
      return () => (isLive(...key) ? uncounted(() => void end(at, ...key)) : "missing");
    },

    "sessions-end":
      ({ userId, at, except }, businessId) =>
      () =>
        uncounted(() => void endAll(at, idToFind(businessId), userId, except)),
  };
}

/** A keyset position among all sessions. */
type Position = readonly [business: number, id: string];

const START: Position = [0, ""];

/**
 * Scans the sessions in key order, `limit` rows a call. An index by end would have to be updated at every refresh. The
 * scan takes no lock.
 */
function sessionPruner(connection: Connection): AccessStore["pruneSessions"] {
  const isOver = "min(coalesce(ended_at, refresh_expires_at), refresh_expires_at) < ?";
  const scan = connection.rows(
    `SELECT business_id, id, ${isOver} FROM budgetkit_sessions WHERE (business_id, id) > (?, ?)
     ORDER BY business_id, id LIMIT ?`,
  );
  const remove = connection.command(`DELETE FROM budgetkit_sessions WHERE business_id = ? AND id = ? AND ${isOver}`);
  let position = START;

  return async (before, limit) => {
    const rows = await connection.read(() => scan(before, ...position, limit));
    const last = rows.at(-1);
    position = rows.length < limit || last === undefined ? START : [asInteger(last[0]), asText(last[1])];
    const due = rows.filter(([, , over]) => over === 1);
    if (due.length === 0) return 0;
    return connection.write(() =>
      due.reduce((removed, [business, id]) => removed + remove(asInteger(business), asText(id), before), 0),
    );
  };
}
