import {
  type AccessStore,
  asInteger,
  asSession,
  idToFind,
  idToWrite,
  orNull,
  type Session,
} from "@budgetkit/core/store";
import { textToFind } from "../engine/arguments.js";
import type { Connection } from "../engine/connection.js";
import { auditArgument } from "../events/events.js";
import { ACCESS_COMMITS } from "./access-functions.js";

type SessionMethods = "insertSession" | "findSession" | "rotateRefresh" | "endSession" | "pruneSessions";

export function postgresSessions(connection: Connection): Pick<AccessStore, SessionMethods> {
  const commit = connection.commits(ACCESS_COMMITS);
  const find = connection.row(
    `SELECT business_id, id, user_id, refresh_hash, refresh_expires_at, created_at, ended_at
     FROM @sessions WHERE business_id = $1 AND id = $2`,
  );

  return {
    insertSession: async (session, passwordHash, audit = null) => {
      const row = sessionRow(session);
      const argument = {
        session: row,
        user: idToFind(session.userId),
        password_hash: textToFind(passwordHash),
        audit: auditArgument(audit),
      };
      return commit("insert_session", row.business_id, argument);
    },

    findSession: async (businessId, id) => orNull(await find(idToFind(businessId), textToFind(id)), asSession),

    rotateRefresh: async ({ businessId, sessionId, expectedHash, newHash, newExpiresAt }, now) => {
      const argument = {
        business_id: idToFind(businessId),
        id: textToFind(sessionId),
        expected_hash: textToFind(expectedHash),
        new_hash: newHash,
        new_expires_at: newExpiresAt,
        now,
      };
      return commit("rotate_refresh", argument.business_id, argument);
    },

    endSession: async (businessId, id, now, audit = null) => {
      const business = idToFind(businessId);
      const argument = { business_id: business, id: textToFind(id), now, audit: auditArgument(audit) };
      return commit("end_session", business, argument);
    },

    pruneSessions: async (before, limit) => asInteger(await connection.call("prune_sessions", before, limit)),
  };
}

function sessionRow(session: Session) {
  return {
    business_id: idToWrite(session.businessId),
    id: session.id,
    user_id: session.userId,
    refresh_hash: session.refreshHash,
    refresh_expires_at: session.refreshExpiresAt,
    created_at: session.createdAt,
    ended_at: session.endedAt,
  };
}
