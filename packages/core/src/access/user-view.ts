import { z } from "zod";
import { ROLES } from "../kernel/actor.js";
import { toTimestamp } from "../kernel/clock.js";
import { paginationSchema, timestampView } from "../kernel/fields.js";
import { NO_PASSWORD, type User } from "./user.js";

/** Source: contract, Login user. Identifiers are numbers in this shape. */
export const userViewSchema = z
  .object({
    /** Assigned by the service; a number in this shape. */
    id: z.int(),
    /** By which the user logs in. */
    email: z.string(),
    /** Name for people to read. */
    displayName: z.string(),
    /** Address of a picture; null = none. */
    avatarUrl: z.string().nullable(),
    /** Id of the user's business; a number in this shape. */
    businessId: z.int(),
    /** What the user may do in the business. */
    role: z.enum(ROLES),
    /** True once the user has shown that the address is theirs. */
    emailVerified: z.boolean(),
  })
  .meta({ id: "User" });
export type UserView = z.infer<typeof userViewSchema>;

export function userViewOf(user: User): UserView {
  return {
    id: Number(user.id),
    email: user.email,
    displayName: user.displayName,
    avatarUrl: user.avatarUrl,
    businessId: Number(user.businessId),
    role: user.role,
    emailVerified: user.emailVerified,
  };
}

/** INVITED: has not set a password yet. DISABLED: may not log in. */
const USER_STATUSES = ["ACTIVE", "INVITED", "DISABLED"] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

/** A user as administrators see them. */
export const accountViewSchema = userViewSchema
  .extend({
    /** INVITED: has not set a password yet. DISABLED: may not log in. */
    status: z.enum(USER_STATUSES).describe("INVITED: has not set a password yet. DISABLED: may not log in."),
    /** True when logins need a code. */
    hasSecondFactor: z.boolean().describe("True when logins need a code."),
    /** ISO 8601, in UTC. */
    createdAt: timestampView,
  })
  .meta({ id: "Account" });
/** A user as administrators see them. */
export interface AccountView extends Readonly<z.infer<typeof accountViewSchema>> {}

export const userListSchema = z.object({
  /** The entries of this page. */
  data: z.array(accountViewSchema),
  /** Which page this is, and how many there are. */
  pagination: paginationSchema,
});

export function accountViewOf(user: User): AccountView {
  return {
    ...userViewOf(user),
    status: statusOf(user),
    hasSecondFactor: user.secondFactor !== null && user.secondFactor.confirmedAt !== null,
    createdAt: toTimestamp(user.createdAt),
  };
}

export function statusOf({ disabledAt, passwordHash }: User): UserStatus {
  if (disabledAt !== null) return "DISABLED";
  return passwordHash === NO_PASSWORD ? "INVITED" : "ACTIVE";
}
