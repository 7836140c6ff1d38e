import {
  type AccessStore,
  asInteger,
  asSession,
  asText,
  idToFind,
  idToWrite,
  orNull,
  SESSION_COLUMNS,
} from "@budgetkit/core/store";
import type { Connection } from "../engine/connection.js";
import { auditWriter } from "../events/events.js";

type SessionMethods = "insertSession" | "findSession" | "rotateRefresh" | "endSession" | "pruneSessions";

export function sqliteSessions(connection: Connection): Pick<AccessStore, SessionMethods> {
  const insert = connection.command(
    `INSERT INTO budgetkit_sessions (${SESSION_COLUMNS}) SELECT ?, ?, ?, ?, ?, ?, ?
     FROM budgetkit_users WHERE business_id = ? AND id = ? AND password_hash = ? AND disabled_at IS NULL`,
  );
  const find = connection.row(`SELECT ${SESSION_COLUMNS} FROM budgetkit_sessions WHERE business_id = ? AND id = ?`);
  const rotate = connection.command(
    `UPDATE budgetkit_sessions SET refresh_hash = ?, refresh_expires_at = ?
     WHERE business_id = ? AND id = ? AND refresh_hash = ? AND ended_at IS NULL AND refresh_expires_at > ?`,
  );
  const end = connection.command(
    "UPDATE budgetkit_sessions SET ended_at = ? WHERE business_id = ? AND id = ? AND ended_at IS NULL",
  );
  const writeAudit = auditWriter(connection);

  return {
    insertSession: async (session, passwordHash, audit = null) => {
      const { id, userId, refreshHash, refreshExpiresAt, createdAt, endedAt } = session;
      const business = idToWrite(session.businessId);
      const row = [business, id, userId, refreshHash, refreshExpiresAt, createdAt, endedAt] as const;
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        if (insert(...row, business, idToFind(userId), passwordHash) === 0) return "stale";
        appendAudit();
        return "written";
      });
    },

    findSession: (businessId, id) => connection.read(() => orNull(find(idToFind(businessId), id), asSession)),

    rotateRefresh: ({ businessId, sessionId, expectedHash, newHash, newExpiresAt }, now) =>
      connection.write(() => {
        const rotated = rotate(newHash, newExpiresAt, idToFind(businessId), sessionId, expectedHash, now);
        return rotated === 1 ? "rotated" : "refused";
      }),

    endSession: async (businessId, id, now, audit = null) => {
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        if (end(now, idToFind(businessId), id) === 0) return false;
        appendAudit();
        return true;
      });
    },

    pruneSessions: sessionPruner(connection),
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
