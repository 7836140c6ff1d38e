import { type AccessStore, isActiveOwner, type User, uncounted } from "@budgetkit/core/store";
import { asInteger, asUser, idToFind, idToWrite, orNull, USER_COLUMNS } from "@budgetkit/store-kit";
import type { ConditionHandlers, WriteHandlers } from "../commit/handlers.js";
import type { Connection, SqlValue } from "../engine/connection.js";

const COLUMNS = USER_COLUMNS.join(", ");
const CHANGED = USER_COLUMNS.slice(2); // all but the key
const FIND = `SELECT ${COLUMNS} FROM budgetkit_users WHERE business_id = ? AND id = ?`;

type UserReads = Pick<AccessStore, "findUser" | "findUserByEmail" | "listUsers" | "hasUsers">;

export function sqliteUsers(connection: Connection): UserReads {
  const find = connection.row(FIND);
  const findByEmail = connection.row(`SELECT ${COLUMNS} FROM budgetkit_users WHERE email_key = ?`);
  const areAny = connection.exists("SELECT 1 FROM budgetkit_users LIMIT 1");
  const count = connection.value("SELECT count(*) FROM budgetkit_users WHERE business_id = ?");
  const list = connection.rows(
    `SELECT ${COLUMNS} FROM budgetkit_users WHERE business_id = ? ORDER BY id LIMIT ? OFFSET ?`,
  );

  return {
    findUser: (businessId, id) => connection.read(() => orNull(find(idToFind(businessId), idToFind(id)), asUser)),

    findUserByEmail: (emailKey) => connection.read(() => orNull(findByEmail(emailKey), asUser)),

    listUsers: (businessId, limit, offset) =>
      connection.snapshot(() => {
        const business = idToFind(businessId);
        const entries = list(business, limit, offset).map(asUser);
        return { entries, total: asInteger(count(business)), nextCursor: null };
      }),

    hasUsers: () => connection.read(areAny),
  };
}

export function userWrites(connection: Connection): Pick<WriteHandlers, "user" | "user-removal" | "password-hash"> {
  const isAtVersion = connection.exists(
    "SELECT 1 FROM budgetkit_users WHERE business_id = ? AND id = ? AND version = ?",
  );
  const isEmailTaken = connection.exists(
    "SELECT 1 FROM budgetkit_users WHERE email_key = ? AND (business_id, id) <> (?, ?)",
  );
  const insert = connection.command(
    `INSERT INTO budgetkit_users (${[...CHANGED, "business_id", "id"].join(", ")})
     VALUES (${USER_COLUMNS.map(() => "?").join(", ")})`,
  );
  const replace = connection.command(
    `UPDATE budgetkit_users SET (${CHANGED.join(", ")}) = (${CHANGED.map(() => "?").join(", ")})
     WHERE business_id = ? AND id = ?`,
  );
  const remove = connection.command("DELETE FROM budgetkit_users WHERE business_id = ? AND id = ?");
  const hasHash = connection.exists(
    "SELECT 1 FROM budgetkit_users WHERE business_id = ? AND id = ? AND password_hash = ?",
  );
  const replaceHash = connection.command(
    "UPDATE budgetkit_users SET password_hash = ?, version = version + 1 WHERE business_id = ? AND id = ?",
  );

  return {
    user: ({ user, expected }) => {
      const asKey = expected === "absent" ? idToWrite : idToFind;
      const key = [asKey(user.businessId), asKey(user.id)] as const;
      const values = changedValuesOf(user);
      const write = expected === "absent" ? insert : replace;
      return () => {
        if (expected !== "absent" && !isAtVersion(...key, expected)) return "stale";
        if (isEmailTaken(user.emailKey, ...key)) return { taken: "email", value: user.emailKey };
        return uncounted(() => void write(...values, ...key));
      };
    },

    "user-removal": ({ userId, expected }, businessId) => {
      const key = [idToFind(businessId), idToFind(userId)] as const;
      return () => (isAtVersion(...key, expected) ? uncounted(() => void remove(...key)) : "stale");
    },

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
