import {
  type AccessStore,
  asBoolean,
  asUser,
  idToFind,
  idToWrite,
  orNull,
  USER_COLUMNS,
  type User,
} from "@budgetkit/core/store";
import { textToFind } from "../engine/arguments.js";
import { pageAndTotal } from "../engine/conditions.js";
import type { Connection } from "../engine/connection.js";
import { auditArgument, auditRow } from "../events/events.js";
import { USER_COMMITS } from "./user-functions.js";

type UserMethods =
  | "insertUser"
  | "findUser"
  | "findUserByEmail"
  | "listUsers"
  | "replacePasswordHash"
  | "replaceUser"
  | "removeUser"
  | "hasUsers";

const COLUMNS = USER_COLUMNS.join(", ");

export function postgresUsers(connection: Connection): Pick<AccessStore, UserMethods> {
  const commit = connection.commits(USER_COMMITS);
  const find = connection.row(`SELECT ${COLUMNS} FROM @users WHERE business_id = $1 AND id = $2`);
  const findByEmail = connection.row(`SELECT ${COLUMNS} FROM @users WHERE email_key = $1`);
  const hasAny = connection.value("SELECT EXISTS (SELECT FROM @users)");

  return {
    insertUser: async (user, audit = null) => {
      const row = { ...userRow(user), business_id: idToWrite(user.businessId), id: idToWrite(user.id) };
      return commit("insert_user", row.business_id, { user: row, audit: auditArgument(audit) });
    },

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

    replacePasswordHash: async (businessId, userId, expectedHash, hash) => {
      const business = idToFind(businessId);
      const argument = { business_id: business, id: idToFind(userId), expected_hash: expectedHash, hash };
      return commit("replace_password_hash", business, argument);
    },

    replaceUser: async (user, expectedVersion, { audit, endSessions }) => {
      const row = userRow(user);
      return commit("replace_user", row.business_id, {
        user: row,
        expected_version: expectedVersion,
        sessions_end: endSessions?.at ?? null,
        kept_session: endSessions?.except ?? null,
        audit: auditArgument(audit),
      });
    },

    removeUser: async (businessId, id, expectedVersion, audit) => {
      const business = idToFind(businessId);
      return commit("remove_user", business, {
        business_id: business,
        id: idToFind(id),
        expected_version: expectedVersion,
        sessions_end: audit.occurredAt,
        audit: auditRow(audit),
      });
    },

    hasUsers: async () => asBoolean(await hasAny()),
  };
}

function userRow(user: User) {
  return {
    business_id: idToFind(user.businessId),
    id: idToFind(user.id),
    email: user.email,
    email_key: user.emailKey,
    display_name: user.displayName,
    avatar_url: user.avatarUrl,
    role: user.role,
    email_verified: user.emailVerified,
    password_hash: user.passwordHash,
    created_at: user.createdAt,
    version: user.version,
    disabled_at: user.disabledAt,
    one_time_token: user.oneTimeToken === null ? null : JSON.stringify(user.oneTimeToken),
    second_factor: user.secondFactor === null ? null : JSON.stringify(user.secondFactor),
  };
}
