import { type AccessStore, isActiveOwner, type SessionEnd, type User } from "@budgetkit/core/store";
import { appendAuditEntry } from "./events.js";
import type { OpenTables, Tables } from "./tables.js";

type UserMethods =
  | "insertUser"
  | "findUser"
  | "findUserByEmail"
  | "listUsers"
  | "replacePasswordHash"
  | "replaceUser"
  | "removeUser"
  | "hasUsers";

export function memoryUsers(open: OpenTables): Pick<AccessStore, UserMethods> {
  return {
    insertUser: async (user, audit = null) => {
      const tables = open();
      if (isTaken(tables, user)) return "taken";
      tables.users.add(user.businessId, user.id, user);
      appendAuditEntry(tables, audit);
      return "written";
    },

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

    replacePasswordHash: async (businessId, userId, expectedHash, passwordHash) => {
      const { users } = open();
      const user = users.find(businessId, userId);
      if (user?.passwordHash !== expectedHash) return "stale";
      users.save(businessId, userId, { ...user, passwordHash, version: user.version + 1 });
      return "written";
    },

    replaceUser: async (user, expectedVersion, { audit, endSessions: end }) => {
      const tables = open();
      const stored = tables.users.find(user.businessId, user.id);
      if (stored?.version !== expectedVersion) return "stale";
      if (isLastOwner(tables, stored) && !isActiveOwner(user)) return "last-owner";
      if (isTaken(tables, user)) return "taken";
      tables.users.save(user.businessId, user.id, user);
      if (end !== null) endSessions(tables, user, end);
      appendAuditEntry(tables, audit);
      return "written";
    },

    removeUser: async (businessId, id, expectedVersion, audit) => {
      const tables = open();
      const stored = tables.users.find(businessId, id);
      if (stored?.version !== expectedVersion) return "stale";
      if (isLastOwner(tables, stored)) return "last-owner";
      tables.users.remove(businessId, id);
      endSessions(tables, stored, { at: audit.occurredAt, except: null });
      appendAuditEntry(tables, audit);
      return "removed";
    },

    hasUsers: async () => open().users.all().length > 0,
  };
}

function isTaken({ users }: Tables, { businessId, id, emailKey }: User): boolean {
  return users
    .all()
    .some((other) => other.emailKey === emailKey && !(other.businessId === businessId && other.id === id));
}

function isLastOwner({ users }: Tables, user: User): boolean {
  return (
    isActiveOwner(user) && !users.of(user.businessId).some((other) => other.id !== user.id && isActiveOwner(other))
  );
}

function endSessions({ sessions }: Tables, { businessId, id }: User, { at, except }: SessionEnd): void {
  for (const session of sessions.of(businessId)) {
    if (session.userId !== id || session.endedAt !== null || session.id === except) continue;
    sessions.save(businessId, session.id, { ...session, endedAt: at });
  }
}
