import { type AccessStore, ROLES, type User } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import { idToFind, idToWrite, textToFind } from "./ids.js";
import { asBoolean, asInteger, asOneOf, asText, orNull, type Row } from "./rows.js";

type UserMethods =
  | "insertUser"
  | "findUser"
  | "findUserByEmail"
  | "replacePasswordHash"
  | "resetPasswordHash"
  | "hasUsers";

const COLUMNS =
  "business_id, id, email, email_key, display_name, avatar_url, role, email_verified, password_hash, created_at";

export function postgresUsers(connection: Connection): Pick<AccessStore, UserMethods> {
  const find = connection.row(`SELECT ${COLUMNS} FROM @users WHERE business_id = $1 AND id = $2`);
  const findByEmail = connection.row(`SELECT ${COLUMNS} FROM @users WHERE email_key = $1`);
  const hasAny = connection.value("SELECT EXISTS (SELECT FROM @users)");

  return {
    insertUser: async (user) => {
      const row = userRow(user);
      return asOneOf(["written", "taken"], await connection.commit("insert_user", row.business_id, row));
    },

    findUser: async (businessId, id) => orNull(await find(idToFind(businessId), idToFind(id)), asUser),

    findUserByEmail: async (emailKey) => orNull(await findByEmail(textToFind(emailKey)), asUser),

    replacePasswordHash: async (businessId, userId, expectedHash, hash) => {
      const business = idToFind(businessId);
      const argument = { business_id: business, id: idToFind(userId), expected_hash: expectedHash, hash };
      return asOneOf(["written", "stale"], await connection.commit("replace_password_hash", business, argument));
    },

    resetPasswordHash: async (businessId, userId, hash, now) => {
      const business = idToFind(businessId);
      const argument = { business_id: business, id: idToFind(userId), user_id: textToFind(userId), hash, now };
      const ended = await connection.commit("reset_password_hash", business, argument);
      return ended === null ? null : asInteger(ended);
    },

    hasUsers: async () => asBoolean(await hasAny()),
  };
}

function userRow(user: User) {
  return {
    business_id: idToWrite(user.businessId),
    id: idToWrite(user.id),
    email: user.email,
    email_key: user.emailKey,
    display_name: user.displayName,
    avatar_url: user.avatarUrl,
    role: user.role,
    email_verified: user.emailVerified,
    password_hash: user.passwordHash,
    created_at: user.createdAt,
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
    emailVerified: asBoolean(emailVerified),
    passwordHash: asText(passwordHash),
    createdAt: asInteger(createdAt),
  };
}
