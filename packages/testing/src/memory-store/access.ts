import type { AccessStore } from "@budgetkit/core/store";
import { appendAuditEntry } from "./events.js";
import { memoryKeys } from "./keys.js";
import type { OpenTables } from "./tables.js";
import { frozenCopy } from "./tenant-table.js";
import { memoryUsers } from "./users.js";

export function memoryAccess(open: OpenTables): AccessStore {
  return { ...memoryBusinesses(open), ...memoryUsers(open), ...memorySessions(open), ...memoryKeys(open) };
}

type BusinessMethods =
  | "reserveBusinessId"
  | "insertBusiness"
  | "findBusiness"
  | "listBusinesses"
  | "replaceBusiness"
  | "setBusinessTier";

function memoryBusinesses(open: OpenTables): Pick<AccessStore, BusinessMethods> {
  return {
    reserveBusinessId: async () => {
      const tables = open();
      tables.nextBusinessId += 1;
      return String(tables.nextBusinessId - 1);
    },

    insertBusiness: async (business, audit = null) => {
      const tables = open();
      if (tables.businesses.has(business.id)) throw new Error(`duplicate business ${business.id}`);
      tables.businesses.set(business.id, frozenCopy(business));
      appendAuditEntry(tables, audit);
    },

    findBusiness: async (id) => open().businesses.get(id) ?? null,

    listBusinesses: async (after, limit) =>
      [...open().businesses.values()]
        .filter(({ id }) => after === null || Number(id) > Number(after))
        .sort((a, b) => Number(a.id) - Number(b.id))
        .slice(0, limit),

    replaceBusiness: async (business, expectedVersion, audit = null) => {
      const tables = open();
      const stored = tables.businesses.get(business.id);
      if (stored?.version !== expectedVersion) return "stale";
      tables.businesses.set(business.id, frozenCopy({ ...business, tier: stored.tier }));
      appendAuditEntry(tables, audit);
      return "written";
    },

    setBusinessTier: async (id, tier, audit = null) => {
      const tables = open();
      const business = tables.businesses.get(id);
      if (business === undefined) return false;
      tables.businesses.set(id, frozenCopy({ ...business, tier }));
      appendAuditEntry(tables, audit);
      return true;
    },
  };
}

function memorySessions(
  open: OpenTables,
): Pick<AccessStore, "insertSession" | "findSession" | "rotateRefresh" | "endSession" | "pruneSessions"> {
  return {
    insertSession: async (session, passwordHash, audit = null) => {
      const tables = open();
      const { users, sessions } = tables;
      const user = users.find(session.businessId, session.userId);
      if (user === null || user.disabledAt !== null || user.passwordHash !== passwordHash) return "stale";
      sessions.add(session.businessId, session.id, session);
      appendAuditEntry(tables, audit);
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

    endSession: async (businessId, id, now, audit = null) => {
      const tables = open();
      const session = tables.sessions.find(businessId, id);
      if (session === null || session.endedAt !== null) return false;
      tables.sessions.save(businessId, id, { ...session, endedAt: now });
      appendAuditEntry(tables, audit);
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
