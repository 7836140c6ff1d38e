import {
  type AccessStore,
  asInteger,
  asUser,
  idToFind,
  idToWrite,
  isActiveOwner,
  orNull,
  type SessionEnd,
  USER_COLUMNS,
  type User,
} from "@budgetkit/core/store";
import type { Connection, SqlValue } from "../engine/connection.js";
import { auditWriter } from "../events/events.js";

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
const CHANGED = USER_COLUMNS.slice(2); // all but the key

export function sqliteUsers(connection: Connection): Pick<AccessStore, UserMethods> {
  return { ...userReads(connection), ...userWrites(connection) };
}

type UserReads = "findUser" | "findUserByEmail" | "listUsers" | "hasUsers";

function userReads(connection: Connection): Pick<AccessStore, UserReads> {
  const find = connection.row(`SELECT ${COLUMNS} FROM budgetkit_users WHERE business_id = ? AND id = ?`);
  const findByEmail = connection.row(`SELECT ${COLUMNS} FROM budgetkit_users WHERE email_key = ?`);
  const findAny = connection.value("SELECT 1 FROM budgetkit_users LIMIT 1");
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

    hasUsers: () => connection.read(() => findAny() !== undefined),
  };
}

function userWrites(connection: Connection): Pick<AccessStore, Exclude<UserMethods, UserReads>> {
  const insert = connection.command(
    `INSERT INTO budgetkit_users (${COLUMNS}) VALUES (${USER_COLUMNS.map(() => "?").join(", ")})
     ON CONFLICT (email_key) DO NOTHING`,
  );
  const replaceHash = connection.command(
    `UPDATE budgetkit_users SET password_hash = ?, version = version + 1
     WHERE business_id = ? AND id = ? AND password_hash = ?`,
  );
  const replace = connection.command(
    `UPDATE budgetkit_users SET (${CHANGED.join(", ")}) = (${CHANGED.map(() => "?").join(", ")})
     WHERE business_id = ? AND id = ?`,
  );
  const remove = connection.command("DELETE FROM budgetkit_users WHERE business_id = ? AND id = ?");
  const isTaken = emailLookup(connection);
  const findAt = connection.row(
    `SELECT ${COLUMNS} FROM budgetkit_users WHERE business_id = ? AND id = ? AND version = ?`,
  );
  const isLastOwner = ownerLookup(connection);
  const endSessions = sessionEnder(connection);
  const writeAudit = auditWriter(connection);

  return {
    insertUser: async (user, audit = null) => {
      const values = [idToWrite(user.businessId), idToWrite(user.id), ...changedValuesOf(user)];
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        if (insert(...values) === 0) return "taken";
        appendAudit();
        return "written";
      });
    },

    replacePasswordHash: (businessId, userId, expectedHash, hash) =>
      connection.write(() => {
        const replaced = replaceHash(hash, idToFind(businessId), idToFind(userId), expectedHash);
        return replaced === 1 ? "written" : "stale";
      }),

    replaceUser: async (user, expectedVersion, { audit, endSessions: end }) => {
      const row = [idToFind(user.businessId), idToFind(user.id)] as const;
      const values = changedValuesOf(user);
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        const stored = orNull(findAt(...row, expectedVersion), asUser);
        if (stored === null) return "stale";
        if (!isActiveOwner(user) && isLastOwner(stored)) return "last-owner";
        if (isTaken(user)) return "taken";
        replace(...values, ...row);
        if (end !== null) endSessions(user, end);
        appendAudit();
        return "written";
      });
    },

    removeUser: async (businessId, id, expectedVersion, audit) => {
      const row = [idToFind(businessId), idToFind(id)] as const;
      const appendAudit = writeAudit(audit);
      return connection.write(() => {
        const stored = orNull(findAt(...row, expectedVersion), asUser);
        if (stored === null) return "stale";
        if (isLastOwner(stored)) return "last-owner";
        remove(...row);
        endSessions(stored, { at: audit.occurredAt, except: null });
        appendAudit();
        return "removed";
      });
    },
  };
}

/** True when another user has the email. */
function emailLookup(connection: Connection): (user: User) => boolean {
  const find = connection.value("SELECT 1 FROM budgetkit_users WHERE email_key = ? AND (business_id, id) <> (?, ?)");
  return ({ businessId, id, emailKey }) => find(emailKey, idToFind(businessId), idToFind(id)) !== undefined;
}

/** True for the only active OWNER of a business. The condition is that of isActiveOwner. */
function ownerLookup(connection: Connection): (user: User) => boolean {
  const findOther = connection.value(
    `SELECT 1 FROM budgetkit_users
     WHERE business_id = ? AND id <> ? AND role = 'OWNER' AND disabled_at IS NULL AND password_hash <> '' LIMIT 1`,
  );
  return (user) => isActiveOwner(user) && findOther(idToFind(user.businessId), idToFind(user.id)) === undefined;
}

/** Ends the live sessions of a user. */
function sessionEnder(connection: Connection): (user: User, end: SessionEnd) => void {
  const end = connection.command(
    `UPDATE budgetkit_sessions SET ended_at = ?
     WHERE business_id = ? AND user_id = ? AND ended_at IS NULL AND id IS NOT ?`,
  );
  return ({ businessId, id }, { at, except }) => {
    end(at, idToFind(businessId), id, except);
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
