import type { User } from "@budgetkit/core/store";
import { idToFind, idToWrite } from "@budgetkit/store-kit";
import { USER_COMMITS } from "../access/user-functions.js";
import type { Connection } from "../engine/connection.js";
import { auditRows } from "../events/events.js";
import type { CommitParts, SendCommit, WriteOf } from "./commit-parts.js";

export function userCalls(connection: Connection) {
  const call = connection.commits(USER_COMMITS);

  return {
    user(parts: CommitParts, { user, expected }: WriteOf<"user">): SendCommit {
      const audit = auditRows(parts.take("audit"));
      if (expected === "absent") {
        const row = { ...userRow(user), business_id: idToWrite(user.businessId), id: idToWrite(user.id) };
        return () => call("insert_user", row.business_id, { user: row, audit });
      }
      const row = userRow(user);
      const end = takeSessionsEnd(parts, user.id);
      const argument = {
        user: row,
        expected_version: expected,
        keeps_owner: keepsOwner(parts, user.id),
        sessions_end: end?.at ?? null,
        kept_session: end?.except ?? null,
        audit,
      };
      return () => call("replace_user", row.business_id, argument);
    },

    removal(parts: CommitParts, { userId, expected }: WriteOf<"user-removal">): SendCommit {
      const business = idToFind(parts.businessId);
      const end = takeSessionsEnd(parts, userId);
      if (end?.except !== null) return parts.refuse("all sessions of a removed user end");
      if (!keepsOwner(parts, userId)) return parts.refuse("a business keeps its last owner");
      const argument = {
        business_id: business,
        id: idToFind(userId),
        expected_version: expected,
        sessions_end: end.at,
        audit: auditRows(parts.take("audit")),
      };
      return () => call("remove_user", business, argument);
    },

    passwordHash(parts: CommitParts, { userId, expected, hash }: WriteOf<"password-hash">): SendCommit {
      const business = idToFind(parts.businessId);
      const argument = { business_id: business, id: idToFind(userId), expected_hash: expected, hash };
      return () => call("replace_password_hash", business, argument);
    },
  };
}

function takeSessionsEnd(parts: CommitParts, userId: string): WriteOf<"sessions-end"> | null {
  const end = parts.takeWrite("sessions-end");
  return end === null || end.userId === userId ? end : parts.refuse("sessions of another user would end");
}

function keepsOwner(parts: CommitParts, userId: string): boolean {
  const condition = parts.takeCondition("not-last-owner");
  if (condition === null || condition.userId === userId) return condition !== null;
  return parts.refuse("the condition is about another user");
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
