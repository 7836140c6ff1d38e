import type { AccessStore, Session } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { idToFind, idToWrite, textToFind } from "./ids.js";
import { asBoolean, asInteger, asOneOf, asText, orNull, type Row } from "./rows.js";

type SessionMethods = "insertSession" | "findSession" | "rotateRefresh" | "endSession" | "pruneSessions";

export function postgresSessions(connection: Connection): Pick<AccessStore, SessionMethods> {
  const find = connection.row(
    `SELECT business_id, id, user_id, refresh_hash, refresh_expires_at, created_at, ended_at
     FROM @sessions WHERE business_id = $1 AND id = $2`,
  );

  return {
    insertSession: async ({ businessId, id, userId, refreshHash, refreshExpiresAt, createdAt, endedAt }) => {
      const row = {
        business_id: idToWrite(businessId),
        id,
        user_id: userId,
        refresh_hash: refreshHash,
        refresh_expires_at: refreshExpiresAt,
        created_at: createdAt,
        ended_at: endedAt,
      };
      await connection.commit("insert_session", row.business_id, row);
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
      const answer = await connection.commit("rotate_refresh", argument.business_id, argument);
      return asOneOf(["rotated", "refused"], answer);
    },

    endSession: async (businessId, id, now) => {
      const business = idToFind(businessId);
      const argument = { business_id: business, id: textToFind(id), now };
      return asBoolean(await connection.commit("end_session", business, argument));
    },

    pruneSessions: async (before, limit) => asInteger(await connection.call("prune_sessions", before, limit)),
  };
}

function asSession([businessId, id, userId, refreshHash, refreshExpiresAt, createdAt, endedAt]: Row): Session {
  return {
    businessId: String(asInteger(businessId)),
    id: asText(id),
    userId: asText(userId),
    refreshHash: asText(refreshHash),
    refreshExpiresAt: asInteger(refreshExpiresAt),
    createdAt: asInteger(createdAt),
    endedAt: orNull(endedAt, asInteger),
  };
}
