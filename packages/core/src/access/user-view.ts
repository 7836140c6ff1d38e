import { z } from "zod";
import { ROLES } from "../kernel/actor.js";
import { toTimestamp } from "../kernel/clock.js";
import { NO_PASSWORD, type User } from "./user.js";

/** Source: contract, Login user. Identifiers are numbers in this shape. */
export const userViewSchema = z
  .object({
    id: z.int(),
    email: z.string(),
    displayName: z.string(),
    avatarUrl: z.string().nullable(),
    businessId: z.int(),
    role: z.enum(ROLES),
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
  readonly status: UserStatus;
  readonly hasSecondFactor: boolean;
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
