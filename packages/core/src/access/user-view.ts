import { z } from "zod";
import { ROLES } from "../kernel/actor.js";
import type { User } from "./user.js";

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
