import { type AccessStore, type Change, type Refusal, type Tier, uncounted } from "@budgetkit/core/store";
import { memoryKeys } from "./keys.js";
import type { OpenTables, Tables } from "./tables.js";
import { frozenCopy } from "./tenant-table.js";
import { memoryUsers } from "./users.js";
import type { WriteOf } from "./write-of.js";

export function memoryAccess(open: OpenTables): AccessStore {
  return { ...memoryBusinesses(open), ...memoryUsers(open), ...memorySessions(open), ...memoryKeys(open) };
}

type BusinessMethods = "reserveBusinessId" | "findBusiness" | "listBusinesses";

function memoryBusinesses(open: OpenTables): Pick<AccessStore, BusinessMethods> {
  return {
    reserveBusinessId: async () => {
      const tables = open();
      tables.nextBusinessId += 1;
      return String(tables.nextBusinessId - 1);
    },

    findBusiness: async (id) => open().businesses.get(id) ?? null,

    listBusinesses: async (after, limit) =>
      [...open().businesses.values()]
        .filter(({ id }) => after === null || Number(id) > Number(after))
        .sort((a, b) => Number(a.id) - Number(b.id))
        .slice(0, limit),
  };
}

type SessionMethods = "findSession" | "countLiveSessions" | "pruneSessions";

function memorySessions(open: OpenTables): Pick<AccessStore, SessionMethods> {
  return {
    findSession: async (businessId, id) => open().sessions.find(businessId, id),

    countLiveSessions: async (businessId, userIds, now) => {
      const live = open()
        .sessions.of(businessId)
        .filter(({ endedAt, refreshExpiresAt }) => endedAt === null && refreshExpiresAt > now);
      const counts = userIds.map((id) => [id, live.filter(({ userId }) => userId === id).length] as const);
      return new Map(counts.filter(([, count]) => count > 0));
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

export function businessChange({ businesses }: Tables, { business, expected }: WriteOf<"business">): Change | Refusal {
  const stored = businesses.get(business.id);
  if (expected === "absent") {
    if (stored !== undefined) throw new Error(`duplicate business ${business.id}`);
    return uncounted(() => businesses.set(business.id, frozenCopy(business)));
  }
  if (stored?.version !== expected) return "stale";
  return uncounted(() => businesses.set(business.id, frozenCopy({ ...business, tier: stored.tier })));
}

export function tierChange({ businesses }: Tables, businessId: string, tier: Tier): Change | Refusal {
  const business = businesses.get(businessId);
  if (business === undefined) return "missing";
  return uncounted(() => businesses.set(businessId, frozenCopy({ ...business, tier })));
}

export function sessionChange({ users, sessions }: Tables, write: WriteOf<"session">): Change | Refusal {
  const { session, passwordHash } = write;
  const { businessId, id } = session;
  const user = users.find(businessId, session.userId);
  if (user === null || user.disabledAt !== null || user.passwordHash !== passwordHash) return "stale";
  sessions.assertFree(businessId, id);
  return uncounted(() => {
    sessions.add(businessId, id, session);
    const { lastLoginAt } = user;
    const isLater = lastLoginAt === null || lastLoginAt < session.createdAt;
    if (isLater) users.save(businessId, user.id, { ...user, lastLoginAt: session.createdAt });
  });
}

export function sessionRefresh({ sessions }: Tables, { rotation, now }: WriteOf<"session-refresh">): Change | Refusal {
  const { businessId, sessionId, expectedHash, newHash, newExpiresAt } = rotation;
  const session = sessions.find(businessId, sessionId);
  if (session === null || session.endedAt !== null || session.refreshExpiresAt <= now) return "stale";
  if (session.refreshHash !== expectedHash) return "stale";
  const refreshed = { ...session, refreshHash: newHash, refreshExpiresAt: newExpiresAt };
  return uncounted(() => sessions.save(businessId, sessionId, refreshed));
}

export function sessionEnd(
  { sessions }: Tables,
  businessId: string,
  { sessionId, at }: WriteOf<"session-end">,
): Change | Refusal {
  const session = sessions.find(businessId, sessionId);
  if (session === null || session.endedAt !== null) return "missing";
  return uncounted(() => sessions.save(businessId, sessionId, { ...session, endedAt: at }));
}
