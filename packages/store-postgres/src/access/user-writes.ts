import { isActiveOwner, type User, uncounted } from "@budgetkit/core/store";
import { asUser, idToFind, orNull, USER_COLUMNS } from "@budgetkit/store-kit";
import { andThen, type ConditionHandlers, type WriteHandlers } from "../commit/handlers.js";
import { versionedRows } from "../commit/versioned-rows.js";
import type { SqlValue } from "../engine/session.js";
import type { Statements } from "../engine/statements.js";

const DIGESTS = { kind: "email", columns: ["email_key"] } as const;

/** In the order of {@link changedValuesOf}. The last login is apart: only a new user brings one. */
const CHANGED = {
  email: "text",
  email_key: "text",
  display_name: "text",
  avatar_url: "text",
  role: "text",
  email_verified: "boolean",
  password_hash: "text",
  created_at: "bigint",
  version: "bigint",
  disabled_at: "bigint",
  one_time_token: "text",
  second_factor: "text",
};

export function userWrites(statements: Statements): Pick<WriteHandlers, "user" | "user-removal" | "password-hash"> {
  const rows = versionedRows(statements, "@users", CHANGED, DIGESTS);
  const newRows = versionedRows(statements, "@users", { ...CHANGED, last_login_at: "bigint" }, DIGESTS);
  // The one look-up that leaves the business: an address belongs to one account of all businesses.
  const isEmailTaken = statements.exists(
    "SELECT FROM @directory WHERE kind = 'email' AND digest = $2 AND (business_id, id) <> ($1, $3)",
  );
  const hasHash = statements.exists("SELECT FROM @users WHERE business_id = $1 AND id = $2 AND password_hash = $3");
  const replaceHash = statements.write(
    "UPDATE @users SET password_hash = $3, version = version + 1 WHERE business_id = $1 AND id = $2",
  );

  return {
    user: ({ user, expected }) => {
      const { id, emailKey } = user;
      const prepared =
        expected === "absent"
          ? newRows.prepare(user, [...changedValuesOf(user), user.lastLoginAt], expected)
          : rows.prepare(user, changedValuesOf(user), expected);
      return andThen(prepared, async (change, open) =>
        (await isEmailTaken(open, emailKey, idToFind(id))) ? { taken: "email", value: emailKey } : change,
      );
    },

    "user-removal": ({ userId, expected }) => rows.prepareRemoval(userId, expected),

    "password-hash": ({ userId, expected, hash }) => {
      const id = idToFind(userId);
      return async (open) =>
        (await hasHash(open, id, expected)) ? uncounted(() => replaceHash(open, id, hash)) : "stale";
    },
  };
}

export function userConditions(statements: Statements): Pick<ConditionHandlers, "not-last-owner"> {
  const find = statements.row(`SELECT ${USER_COLUMNS.join(", ")} FROM @users WHERE business_id = $1 AND id = $2`);
  const hasOtherOwner = statements.exists(
    `SELECT FROM @users
     WHERE business_id = $1 AND id <> $2 AND role = 'OWNER' AND disabled_at IS NULL AND password_hash <> '' LIMIT 1`, // as isActiveOwner
  );
  return {
    "not-last-owner": ({ userId }) => {
      const id = idToFind(userId);
      return async (open) => {
        const user = orNull(await find(open, id), asUser);
        const isLastOwner = user !== null && isActiveOwner(user) && !(await hasOtherOwner(open, id));
        return isLastOwner ? "last-owner" : null;
      };
    },
  };
}

function changedValuesOf(user: User): SqlValue[] {
  return [
    user.email,
    user.emailKey,
    user.displayName,
    user.avatarUrl,
    user.role,
    user.emailVerified,
    user.passwordHash,
    user.createdAt,
    user.version,
    user.disabledAt,
    user.oneTimeToken === null ? null : JSON.stringify(user.oneTimeToken),
    user.secondFactor === null ? null : JSON.stringify(user.secondFactor),
  ];
}
