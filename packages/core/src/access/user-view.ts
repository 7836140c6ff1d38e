import { z } from "zod";
import { ROLES } from "../kernel/actor.js";
import { toTimestamp } from "../kernel/clock.js";
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
export type UserStatus = "ACTIVE" | "INVITED" | "DISABLED";

/** A user as administrators see them. */
export interface AccountView extends UserView {
  /** Whether the user can log in. */
  readonly status: UserStatus;
  /** True when logins need a code. */
  readonly hasSecondFactor: boolean;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
}

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
