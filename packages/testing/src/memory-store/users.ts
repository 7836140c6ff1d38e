import { type AccessStore, type Change, isActiveOwner, type Refusal, uncounted } from "@budgetkit/core/store";
import type { OpenTables, Tables } from "./tables.js";
import type { WriteOf } from "./write-of.js";

type UserMethods = "findUser" | "findUserByEmail" | "listUsers" | "hasUsers";

export function memoryUsers(open: OpenTables): Pick<AccessStore, UserMethods> {
  return {
    findUser: async (businessId, id) => open().users.find(businessId, id),

    findUserByEmail: async (emailKey) =>
      open()
        .users.all()
        .find((user) => user.emailKey === emailKey) ?? null,

    listUsers: async (businessId, limit, offset) => {
      const found = open()
        .users.of(businessId)
        .sort((a, b) => Number(a.id) - Number(b.id));
      return { entries: found.slice(offset, offset + limit), total: found.length, nextCursor: null };
    },

    hasUsers: async () => open().users.all().length > 0,
  };
}

/** Refused when another user of any business has the email. */
export function userChange({ users }: Tables, { user, expected }: WriteOf<"user">): Change | Refusal {
  const { businessId, id, emailKey } = user;
  const stored = users.find(businessId, id);
  if (expected !== "absent" && stored?.version !== expected) return "stale";
  const isTaken = users
    .all()
    .some((other) => other.emailKey === emailKey && !(other.businessId === businessId && other.id === id));
  if (isTaken) return { taken: "email", value: emailKey };
  if (expected === "absent") users.assertFree(businessId, id);
  const saved = stored === null ? user : { ...user, lastLoginAt: stored.lastLoginAt };
  return uncounted(() => users.save(businessId, id, saved));
}

export function userRemoval(
  { users }: Tables,
  businessId: string,
  { userId, expected }: WriteOf<"user-removal">,
): Change | Refusal {
  if (users.find(businessId, userId)?.version !== expected) return "stale";
  return uncounted(() => users.remove(businessId, userId));
}

export function hashChange(
  { users }: Tables,
  businessId: string,
  { userId, expected, hash }: WriteOf<"password-hash">,
): Change | Refusal {
  const user = users.find(businessId, userId);
  if (user?.passwordHash !== expected) return "stale";
  const changed = { ...user, passwordHash: hash, version: user.version + 1 };
  return uncounted(() => users.save(businessId, userId, changed));
}

/** True for the only active OWNER of a business. */
export function isLastOwner({ users }: Tables, businessId: string, userId: string): boolean {
  const user = users.find(businessId, userId);
  if (user === null || !isActiveOwner(user)) return false;
  return !users.of(businessId).some((other) => other.id !== userId && isActiveOwner(other));
}

export function sessionsEnd(
  { sessions }: Tables,
  businessId: string,
  { userId, at, except }: WriteOf<"sessions-end">,
): Change {
  return uncounted(() => {
    for (const session of sessions.of(businessId)) {
      if (session.userId !== userId || session.endedAt !== null || session.id === except) continue;
      sessions.save(businessId, session.id, { ...session, endedAt: at });
    }
  });
}
