import { type AccessStore, type Business, ROLES, type Session, TIERS, type User } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { idToFind, idToWrite } from "./ids.js";
import { sqliteKeys } from "./keys.js";
import { asInteger, asOneOf, asText, orNull, type Row } from "./rows.js";

export function sqliteAccess(connection: Connection): AccessStore {
  return {
    ...sqliteBusinesses(connection),
    ...sqliteUsers(connection),
    ...sqliteSessions(connection),
    ...sqliteKeys(connection),
  };
}

type BusinessMethods = "insertBusiness" | "findBusiness" | "listBusinesses" | "setBusinessTier";

function sqliteBusinesses(connection: Connection): Pick<AccessStore, BusinessMethods> {
  const columns = "id, name, tier, time_zone, created_at";
  const insert = connection.command(`INSERT INTO budgetkit_businesses (${columns}) VALUES (?, ?, ?, ?, ?)`);
  const find = connection.row(`SELECT ${columns} FROM budgetkit_businesses WHERE id = ?`);
  const list = connection.rows(`SELECT ${columns} FROM budgetkit_businesses WHERE id > ? ORDER BY id LIMIT ?`);
  const setTier = connection.command("UPDATE budgetkit_businesses SET tier = ? WHERE id = ?");

  return {
    insertBusiness: async ({ id, name, tier, timeZone, createdAt }) => {
      const business = idToWrite(id);
      await connection.write(() => insert(business, name, tier, timeZone, createdAt));
    },

    findBusiness: (id) => connection.read(() => orNull(find(idToFind(id)), asBusiness)),

    listBusinesses: (after, limit) =>
      connection.read(() => list(after === null ? 0 : idToFind(after), limit).map(asBusiness)),

    setBusinessTier: (id, tier) => connection.write(() => setTier(tier, idToFind(id)) === 1),
  };
}

function asBusiness([id, name, tier, timeZone, createdAt]: Row): Business {
  return {
    id: String(asInteger(id)),
    name: asText(name),
    tier: asOneOf(TIERS, tier),
    timeZone: asText(timeZone),
    createdAt: asInteger(createdAt),
  };
}

type UserMethods =
  | "insertUser"
  | "findUser"
  | "findUserByEmail"
  | "replacePasswordHash"
  | "resetPasswordHash"
  | "hasUsers";

function sqliteUsers(connection: Connection): Pick<AccessStore, UserMethods> {
  const columns =
    "business_id, id, email, email_key, display_name, avatar_url, role, email_verified, password_hash, created_at";
  const insert = connection.command(
    `INSERT INTO budgetkit_users (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (email_key) DO NOTHING`,
  );
  const find = connection.row(`SELECT ${columns} FROM budgetkit_users WHERE business_id = ? AND id = ?`);
  const findByEmail = connection.row(`SELECT ${columns} FROM budgetkit_users WHERE email_key = ?`);
  const findAny = connection.value("SELECT 1 FROM budgetkit_users LIMIT 1");
  const replaceHash = connection.command(
    "UPDATE budgetkit_users SET password_hash = ? WHERE business_id = ? AND id = ? AND password_hash = ?",
  );

  const resetHash = connection.command("UPDATE budgetkit_users SET password_hash = ? WHERE business_id = ? AND id = ?");
  const endSessions = connection.command(
    "UPDATE budgetkit_sessions SET ended_at = ? WHERE business_id = ? AND user_id = ? AND ended_at IS NULL",
  );

  return {
    insertUser: async (user) => {
      const business = idToWrite(user.businessId);
      const id = idToWrite(user.id);
      const { email, emailKey, displayName, avatarUrl, role, passwordHash, createdAt } = user;
      const verified = user.emailVerified ? 1 : 0;
      return connection.write(() => {
        const added = insert(
          business,
          id,
          email,
          emailKey,
          displayName,
          avatarUrl,
          role,
          verified,
          passwordHash,
          createdAt,
        );
        return added === 1 ? "written" : "taken";
      });
    },

    findUser: (businessId, id) => connection.read(() => orNull(find(idToFind(businessId), idToFind(id)), asUser)),

    findUserByEmail: (emailKey) => connection.read(() => orNull(findByEmail(emailKey), asUser)),

    replacePasswordHash: (businessId, userId, expectedHash, hash) =>
      connection.write(() => {
        const replaced = replaceHash(hash, idToFind(businessId), idToFind(userId), expectedHash);
        return replaced === 1 ? "written" : "stale";
      }),

    resetPasswordHash: (businessId, userId, hash, now) =>
      connection.write(() => {
        const business = idToFind(businessId);
        if (resetHash(hash, business, idToFind(userId)) === 0) return null;
        return endSessions(now, business, userId);
      }),

    hasUsers: () => connection.read(() => findAny() !== undefined),
  };
}

function asUser(row: Row): User {
  const [businessId, id, email, emailKey, displayName, avatarUrl, role, emailVerified, passwordHash, createdAt] = row;
  return {
    businessId: String(asInteger(businessId)),
    id: String(asInteger(id)),
    email: asText(email),
    emailKey: asText(emailKey),
    displayName: asText(displayName),
    avatarUrl: orNull(avatarUrl, asText),
    role: asOneOf(ROLES, role),
    emailVerified: emailVerified === 1,
    passwordHash: asText(passwordHash),
    createdAt: asInteger(createdAt),
  };
}

type SessionMethods = "insertSession" | "findSession" | "rotateRefresh" | "endSession" | "pruneSessions";

function sqliteSessions(connection: Connection): Pick<AccessStore, SessionMethods> {
  const columns = "business_id, id, user_id, refresh_hash, refresh_expires_at, created_at, ended_at";
  const insert = connection.command(
    `INSERT INTO budgetkit_sessions (${columns}) SELECT ?, ?, ?, ?, ?, ?, ?
     FROM budgetkit_users WHERE business_id = ? AND id = ? AND password_hash = ?`,
  );
  const find = connection.row(`SELECT ${columns} FROM budgetkit_sessions WHERE business_id = ? AND id = ?`);
  const rotate = connection.command(
    `UPDATE budgetkit_sessions SET refresh_hash = ?, refresh_expires_at = ?
     WHERE business_id = ? AND id = ? AND refresh_hash = ? AND ended_at IS NULL AND refresh_expires_at > ?`,
  );
  const end = connection.command(
    "UPDATE budgetkit_sessions SET ended_at = ? WHERE business_id = ? AND id = ? AND ended_at IS NULL",
  );

  return {
    insertSession: async (session, passwordHash) => {
      const { id, userId, refreshHash, refreshExpiresAt, createdAt, endedAt } = session;
      const business = idToWrite(session.businessId);
      const row = [business, id, userId, refreshHash, refreshExpiresAt, createdAt, endedAt] as const;
      return connection.write(() => {
        const added = insert(...row, business, idToFind(userId), passwordHash);
        return added === 1 ? "written" : "stale";
      });
    },

    findSession: (businessId, id) => connection.read(() => orNull(find(idToFind(businessId), id), asSession)),

    rotateRefresh: ({ businessId, sessionId, expectedHash, newHash, newExpiresAt }, now) =>
      connection.write(() => {
        const rotated = rotate(newHash, newExpiresAt, idToFind(businessId), sessionId, expectedHash, now);
        return rotated === 1 ? "rotated" : "refused";
      }),

    endSession: (businessId, id, now) => connection.write(() => end(now, idToFind(businessId), id) === 1),

    pruneSessions: sessionPruner(connection),
  };
}

/** The key of the session that a look through all of them has come to. */
type Place = readonly [business: number, id: string];

const BEFORE_ALL: Place = [0, ""];

/**
 * Sessions are looked through in the order of their key, `limit` at a call, rather than found by an index that every
 * refresh would have to move them in. Nothing is locked to look.
 */
function sessionPruner(connection: Connection): AccessStore["pruneSessions"] {
  const over = "min(coalesce(ended_at, refresh_expires_at), refresh_expires_at) < ?";
  const look = connection.rows(
    `SELECT business_id, id, ${over} FROM budgetkit_sessions WHERE (business_id, id) > (?, ?)
     ORDER BY business_id, id LIMIT ?`,
  );
  const forget = connection.command(`DELETE FROM budgetkit_sessions WHERE business_id = ? AND id = ? AND ${over}`);
  let place = BEFORE_ALL;

  return async (before, limit) => {
    const rows = await connection.read(() => look(before, ...place, limit));
    const last = rows.at(-1);
    place = rows.length < limit || last === undefined ? BEFORE_ALL : [asInteger(last[0]), asText(last[1])];
    const due = rows.filter(([, , isOver]) => isOver === 1);
    if (due.length === 0) return 0;
    return connection.write(() =>
      due.reduce((forgotten, [business, id]) => forgotten + forget(asInteger(business), asText(id), before), 0),
    );
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
