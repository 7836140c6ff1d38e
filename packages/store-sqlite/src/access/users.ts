import { type AccessStore, isActiveOwner, type User, uncounted } from "@budgetkit/core/store";
import { asUser, idToFind, orNull, USER_COLUMNS } from "@budgetkit/store-kit";
import { andThen, type ConditionHandlers, type WriteHandlers } from "../commit/handlers.js";
import { versionedRows } from "../commit/versioned-rows.js";
import type { Connection, SqlValue } from "../engine/connection.js";
import { pageReader } from "../engine/page-reader.js";

const COLUMNS = USER_COLUMNS.join(", ");
/** All but the key. The last login comes last: only a new user brings one. */
const INSERTED = USER_COLUMNS.slice(2);
const CHANGED = INSERTED.slice(0, -1);
const FIND = `SELECT ${COLUMNS} FROM budgetkit_users WHERE business_id = ? AND id = ?`;

type UserReads = Pick<AccessStore, "findUser" | "findUserByEmail" | "listUsers" | "hasUsers">;

export function sqliteUsers(connection: Connection): UserReads {
  const find = connection.row(FIND);
  const findByEmail = connection.row(`SELECT ${COLUMNS} FROM budgetkit_users WHERE email_key = ?`);
  const areAny = connection.exists("SELECT 1 FROM budgetkit_users LIMIT 1");
  const from = "budgetkit_users WHERE business_id = ?";
  const list = pageReader(connection, { columns: COLUMNS, from, order: "id" }, asUser);

  return {
    findUser: (businessId, id) => connection.read(() => orNull(find(idToFind(businessId), idToFind(id)), asUser)),

    findUserByEmail: (emailKey) => connection.read(() => orNull(findByEmail(emailKey), asUser)),

    listUsers: (businessId, limit, offset) => list([idToFind(businessId)], limit, offset),

    hasUsers: () => connection.read(areAny),
  };
}

export function userWrites(connection: Connection): Pick<WriteHandlers, "user" | "user-removal" | "password-hash"> {
  const rows = versionedRows(connection, "budgetkit_users", CHANGED);
  const newRows = versionedRows(connection, "budgetkit_users", INSERTED);
  const isEmailTaken = connection.exists(
    "SELECT 1 FROM budgetkit_users WHERE email_key = ? AND (business_id, id) <> (?, ?)",
  );
  const hasHash = connection.exists(
    "SELECT 1 FROM budgetkit_users WHERE business_id = ? AND id = ? AND password_hash = ?",
  );
  const replaceHash = connection.command(
    "UPDATE budgetkit_users SET password_hash = ?, version = version + 1 WHERE business_id = ? AND id = ?",
  );

  return {
    user: ({ user, expected }) => {
      const { businessId, id, emailKey } = user;
      const prepared =
        expected === "absent"
          ? newRows.prepare(user, [...changedValuesOf(user), user.lastLoginAt], expected)
          : rows.prepare(user, changedValuesOf(user), expected);
      return andThen(prepared, (change) =>
        isEmailTaken(emailKey, idToFind(businessId), idToFind(id)) ? { taken: "email", value: emailKey } : change,
      );
    },

    "user-removal": ({ userId, expected }, businessId) => rows.prepareRemoval({ businessId, id: userId }, expected),

    "password-hash": ({ userId, expected, hash }, businessId) => {
      const key = [idToFind(businessId), idToFind(userId)] as const;
      return () => (hasHash(...key, expected) ? uncounted(() => void replaceHash(hash, ...key)) : "stale");
    },
  };
}

export function userConditions(connection: Connection): Pick<ConditionHandlers, "not-last-owner"> {
  const find = connection.row(FIND);
  const hasOtherOwner = connection.exists(
    `SELECT 1 FROM budgetkit_users
     WHERE business_id = ? AND id <> ? AND role = 'OWNER' AND disabled_at IS NULL AND password_hash <> '' LIMIT 1`, // as isActiveOwner
  );
  return {
    "not-last-owner": ({ userId }, businessId) => {
      const key = [idToFind(businessId), idToFind(userId)] as const;
      const user = orNull(find(...key), asUser);
      const isLastOwner = user !== null && isActiveOwner(user) && !hasOtherOwner(...key);
      return isLastOwner ? "last-owner" : null;
    },
  };
}

/** In the order of CHANGED. */
function changedValuesOf(user: User): SqlValue[] {
  return [
    user.email,
    user.emailKey,
    user.displayName,
    user.avatarUrl,
    user.role,
    user.emailVerified ? 1 : 0,
    user.passwordHash,
    user.createdAt,
    user.version,
    user.disabledAt,
    user.oneTimeToken === null ? null : JSON.stringify(user.oneTimeToken),
    user.secondFactor === null ? null : JSON.stringify(user.secondFactor),
  ];
}
