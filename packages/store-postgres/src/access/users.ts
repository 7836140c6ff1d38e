import type { AccessStore } from "@budgetkit/core/store";
import { asBoolean, asInteger, asSession, asText, asUser, idToFind, orNull, USER_COLUMNS } from "@budgetkit/store-kit";
import { pageAndTotal } from "../commit/conditions.js";
import type { Connection } from "../commit/connection.js";
import { textToFind } from "../engine/arguments.js";

type UserMethods = "findUser" | "findUserByEmail" | "listUsers" | "hasUsers";

const COLUMNS = USER_COLUMNS.join(", ");

export function postgresUsers(connection: Connection): Pick<AccessStore, UserMethods> {
  const find = connection.row(`SELECT ${COLUMNS} FROM @users WHERE business_id = $1 AND id = $2`);
  const findByEmail = connection.lookUpDigest("email", {
    row: `SELECT ${COLUMNS} FROM @users WHERE business_id = key.business AND id = key.id AND email_key = key.digest`,
  });
  const hasAny = connection.value("SELECT EXISTS (SELECT FROM @directory WHERE kind = 'email')");

  return {
    findUser: async (businessId, id) => orNull(await find(idToFind(businessId), idToFind(id)), asUser),

    findUserByEmail: async (emailKey) => orNull(await findByEmail(textToFind(emailKey)), asUser),

    listUsers: async (businessId, limit, offset) => {
      const { total, rows } = await pageAndTotal(connection, {
        total: "SELECT count(*) AS n FROM @users WHERE business_id = $1",
        page: `SELECT ${COLUMNS} FROM @users WHERE business_id = $1 ORDER BY id`,
        order: "page.id",
        columns: USER_COLUMNS,
        values: [idToFind(businessId)],
        limit,
        offset,
      });
      return { entries: rows.map(asUser), total, nextCursor: null };
    },

    hasUsers: async () => asBoolean(await hasAny()),
  };
}

type SessionMethods = "findSession" | "countLiveSessions" | "pruneSessions";

export function postgresSessions(connection: Connection): Pick<AccessStore, SessionMethods> {
  const find = connection.row(
    `SELECT business_id, id, user_id, refresh_hash, refresh_expires_at, created_at, ended_at
     FROM @sessions WHERE business_id = $1 AND id = $2`,
  );

  const countLive = connection.rows(
    `SELECT user_id, count(*) AS live FROM @sessions
     WHERE business_id = $1 AND ended_at IS NULL AND refresh_expires_at > $2 AND user_id = ANY ($3::text[])
     GROUP BY user_id`,
  );

  return {
    findSession: async (businessId, id) => orNull(await find(idToFind(businessId), textToFind(id)), asSession),

    countLiveSessions: async (businessId, userIds, now) => {
      const rows = await countLive(idToFind(businessId), now, userIds.map(textToFind));
      return new Map(rows.map(([userId, live]) => [asText(userId), asInteger(live)]));
    },

    pruneSessions: async (before, limit) => asInteger(await connection.call("prune_sessions", before, limit)),
  };
}
