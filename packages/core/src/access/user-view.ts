import { z } from "zod";
import { ROLES } from "../kernel/actor.js";
import { timestampOrNull, toTimestamp } from "../kernel/clock.js";
import { paginationSchema, timestampView } from "../kernel/fields.js";
import { activeFactorOf, NO_PASSWORD, type User } from "./user.js";

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

/** The stored fields of a user that administrators see. */
const accountFieldsSchema = userViewSchema.extend({
  /** INVITED: has not set a password yet. DISABLED: may not log in. */
  status: z.enum(USER_STATUSES).describe("INVITED: has not set a password yet. DISABLED: may not log in."),
  /** True when logins need a code. */
  hasSecondFactor: z.boolean().describe("True when logins need a code."),
  /** ISO 8601, in UTC. */
  createdAt: timestampView,
});
export interface AccountFields extends Readonly<z.infer<typeof accountFieldsSchema>> {}

/** A user as administrators see them. */
export const accountViewSchema = accountFieldsSchema
  .extend({
    /** When the user last logged in; null = never. */
    lastLoginAt: timestampView.nullable().describe("When the user last logged in; null = never."),
    /** Sessions that are open now. */
    openSessions: z.int().describe("Sessions that are open now."),
  })
  .meta({ id: "Account" });
/** A user as administrators see them. */
export interface AccountView extends Readonly<z.infer<typeof accountViewSchema>> {}

/** The account of the caller. Of a user of the host, the service knows the id, the business and the role alone. */
export const ownAccountViewSchema = z
  .object({
    /** A number of this service, or the text by which the host knows its user. */
    id: z.union([z.int(), z.string()]).describe("A number, or the text by which a login of the host knows its user."),
    /** Id of the user's business; a number in this shape. */
    businessId: z.int(),
    /** What the user may do in the business. */
    role: z.enum(ROLES),
    /** True: until the user has enrolled a second factor, every other request is 403. */
    secondFactorRequired: z
      .boolean()
      .describe("True: the business demands a second factor that you lack, and refuses everything but its enrolment."),
    email: z.string().nullable(),
    displayName: z.string().nullable(),
    avatarUrl: z.string().nullable(),
    emailVerified: z.boolean().nullable(),
    status: z.enum(USER_STATUSES).nullable(),
    hasSecondFactor: z.boolean().nullable(),
    createdAt: timestampView.nullable(),
    lastLoginAt: timestampView.nullable(),
    openSessions: z.int().nullable(),
  })
  .meta({
    id: "OwnAccount",
    description: "The account of the caller. The other fields are null with a login of the host.",
  });
/** The account of the caller. */
export interface OwnAccountView extends Readonly<z.infer<typeof ownAccountViewSchema>> {}

export const userListSchema = z.object({
  /** The entries of this page. */
  data: z.array(accountViewSchema),
  /** Which page this is, and how many there are. */
  pagination: paginationSchema,
});

/** What audit entries record of a user: no entry is about logins alone. */
export function accountFieldsOf(user: User): AccountFields {
  return {
    ...userViewOf(user),
    status: statusOf(user),
    hasSecondFactor: activeFactorOf(user) !== null,
    createdAt: toTimestamp(user.createdAt),
  };
}

export function accountViewOf(user: User, openSessions: number): AccountView {
  return { ...accountFieldsOf(user), lastLoginAt: timestampOrNull(user.lastLoginAt), openSessions };
}

export function statusOf({ disabledAt, passwordHash }: User): UserStatus {
  if (disabledAt !== null) return "DISABLED";
  return passwordHash === NO_PASSWORD ? "INVITED" : "ACTIVE";
}
