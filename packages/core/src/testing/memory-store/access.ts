import type { AccessStore } from "../../access/access-store.js";
import { memoryKeys } from "./keys.js";
import type { OpenTables } from "./tables.js";
import { frozenCopy } from "./tenant-table.js";

export function memoryAccess(open: OpenTables): AccessStore {
  return { ...memoryBusinesses(open), ...memoryUsers(open), ...memorySessions(open), ...memoryKeys(open) };
}

type BusinessMethods = "insertBusiness" | "findBusiness" | "listBusinesses" | "setBusinessTier";

function memoryBusinesses(open: OpenTables): Pick<AccessStore, BusinessMethods> {
  return {
    insertBusiness: async (business) => {
      const { businesses } = open();
      if (businesses.has(business.id)) throw new Error(`duplicate business ${business.id}`);
      businesses.set(business.id, frozenCopy(business));
    },

    findBusiness: async (id) => open().businesses.get(id) ?? null,

    listBusinesses: async (after, limit) =>
      [...open().businesses.values()]
        .filter(({ id }) => after === null || Number(id) > Number(after))
        .sort((a, b) => Number(a.id) - Number(b.id))
        .slice(0, limit),

    setBusinessTier: async (id, tier) => {
      const { businesses } = open();
      const business = businesses.get(id);
      if (business === undefined) return false;
      businesses.set(id, frozenCopy({ ...business, tier }));
      return true;
    },
  };
}

function memoryUsers(
  open: OpenTables,
): Pick<
  AccessStore,
  "insertUser" | "findUser" | "findUserByEmail" | "replacePasswordHash" | "resetPasswordHash" | "hasUsers"
> {
  return {
    insertUser: async (user) => {
      const { users } = open();
      if (users.all().some((other) => other.emailKey === user.emailKey)) return "taken";
      users.add(user.businessId, user.id, user);
      return "written";
    },

    findUser: async (businessId, id) => open().users.find(businessId, id),

    findUserByEmail: async (emailKey) =>
      open()
        .users.all()
        .find((user) => user.emailKey === emailKey) ?? null,

    replacePasswordHash: async (businessId, userId, expectedHash, passwordHash) => {
      const { users } = open();
      const user = users.find(businessId, userId);
      if (user?.passwordHash !== expectedHash) return "stale";
      users.save(businessId, userId, { ...user, passwordHash });
      return "written";
    },

    resetPasswordHash: async (businessId, userId, passwordHash, now) => {
      const { users, sessions } = open();
      const user = users.find(businessId, userId);
      if (user === null) return null;
      users.save(businessId, userId, { ...user, passwordHash });
      const live = sessions
        .all()
        .filter((each) => each.businessId === businessId && each.userId === userId && each.endedAt === null);
      for (const session of live) sessions.save(businessId, session.id, { ...session, endedAt: now });
      return live.length;
    },

    hasUsers: async () => open().users.all().length > 0,
  };
}

function memorySessions(
  open: OpenTables,
): Pick<AccessStore, "insertSession" | "findSession" | "rotateRefresh" | "endSession" | "pruneSessions"> {
  return {
    insertSession: async (session, passwordHash) => {
      const { users, sessions } = open();
      if (users.find(session.businessId, session.userId)?.passwordHash !== passwordHash) return "stale";
      sessions.add(session.businessId, session.id, session);
      return "written";
    },

    findSession: async (businessId, id) => open().sessions.find(businessId, id),

    rotateRefresh: async ({ businessId, sessionId, expectedHash, newHash, newExpiresAt }, now) => {
      const { sessions } = open();
      const session = sessions.find(businessId, sessionId);
      if (session === null || session.endedAt !== null || session.refreshExpiresAt <= now) return "refused";
      if (session.refreshHash !== expectedHash) return "refused";
      sessions.save(businessId, sessionId, { ...session, refreshHash: newHash, refreshExpiresAt: newExpiresAt });
      return "rotated";
    },

    endSession: async (businessId, id, now) => {
      const { sessions } = open();
      const session = sessions.find(businessId, id);
      if (session === null || session.endedAt !== null) return false;
      sessions.save(businessId, id, { ...session, endedAt: now });
      return true;
    },

    pruneSessions: async (before, limit) => {
      const { sessions } = open();
      const over = sessions
        .all()
        .filter(({ endedAt, refreshExpiresAt }) => Math.min(endedAt ?? refreshExpiresAt, refreshExpiresAt) < before)
        .slice(0, limit);
      for (const { businessId, id } of over) sessions.remove(businessId, id);
      return over.length;
    },
  };
}
