import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { recordAudit } from "../events/record-audit.js";
import { ROLES } from "../kernel/actor.js";
import { isTimeZone } from "../kernel/dates.js";
import { SIZES } from "../kernel/fields.js";
import { parseId } from "../kernel/ids.js";
import { MAX_PAGE_LIMIT } from "../kernel/page.js";
import { notFound, type Problem } from "../kernel/problem.js";
import { TIERS, type Tier } from "../limits/tiers.js";
import type { AccessContext } from "./access-context.js";
import type { Business } from "./business.js";
import { emailKeyOf, type User } from "./user.js";
import { type UserView, userViewOf } from "./user-view.js";

/** A user who can log in; the password is never kept as it is. */
export const createUserSchema = z.object({
  businessId: z.string(),
  email: z.email().max(254),
  password: z.string().min(8).max(1_024),
  displayName: z.string().min(1).max(SIZES.name),
  role: z.enum(ROLES),
  emailVerified: z.boolean().default(false),
});

export const createBusinessSchema = z.object({
  name: z.string().min(1).max(SIZES.name),
  tier: z.enum(TIERS).default("STANDARD"),
  timeZone: z
    .string()
    .refine(isTimeZone, { message: "must be an IANA time zone, such as America/Lima" })
    .default("UTC"),
});

export const tierSchema = z.enum(TIERS);

export const listBusinessesSchema = z.object({
  after: z
    .string()
    .refine((id) => parseId(id) !== null, "must be the id of a business")
    .nullable()
    .default(null),
  limit: z.int().min(1).max(MAX_PAGE_LIMIT).default(MAX_PAGE_LIMIT),
});
export type ListBusinessesInput = z.output<typeof listBusinessesSchema>;

export const resetPasswordSchema = createUserSchema.pick({ email: true, password: true });
export type ResetPasswordInput = z.output<typeof resetPasswordSchema>;

/** A user who has another password now. */
export interface PasswordReset {
  readonly user: UserView;
  readonly endedSessions: number;
}

export type CreateUserInput = z.output<typeof createUserSchema>;
export type CreateBusinessInput = z.output<typeof createBusinessSchema>;

/**
 * Makes a user who can log in. For the operator: no request reaches this.
 * Errors: not-found for an unknown business; a conflict when the email is taken, in whichever business.
 */
export async function createUser(context: AccessContext, input: CreateUserInput): Promise<Result<UserView, Problem>> {
  const { password, ...given } = input;
  if ((await context.store.findBusiness(given.businessId)) === null) {
    return err(notFound("business", given.businessId));
  }
  const user: User = {
    ...given,
    id: await context.ids.next(),
    emailKey: emailKeyOf(given.email),
    avatarUrl: null,
    passwordHash: await context.hasher.hash(password),
    createdAt: context.clock.now(),
  };
  if ((await context.store.insertUser(user)) === "written") return ok(userViewOf(user));
  return err({ kind: "conflict", message: "There is a user with this email already.", details: { field: "email" } });
}

/**
 * Gives the user of this email a new password and ends all of their sessions, once an audit entry of it is safe.
 * For the operator, when a password is lost. Errors: not-found.
 */
export async function resetPassword(
  context: AccessContext,
  { email, password }: ResetPasswordInput,
): Promise<Result<PasswordReset, Problem>> {
  const { store, hasher, clock } = context;
  const user = await store.findUserByEmail(emailKeyOf(email));
  if (user === null) return err(notFound("user", email));
  const { businessId, id } = user;
  const hash = await hasher.hash(password);
  const now = clock.now();
  await recordAudit(context, { kind: "system", businessId }, "user.password_reset", id, now);
  const endedSessions = await store.resetPasswordHash(businessId, id, hash, now);
  return endedSessions === null ? err(notFound("user", email)) : ok({ user: userViewOf(user), endedSessions });
}

/** Makes a business. For the operator. */
export async function createBusiness(
  context: AccessContext,
  input: CreateBusinessInput,
): Promise<Result<Business, Problem>> {
  const business: Business = { ...input, id: await context.ids.next(), createdAt: context.clock.now() };
  await context.store.insertBusiness(business);
  return ok(business);
}

/**
 * Moves a business to another tier. Keys keep their rates; the tier bounds the next ones that are set.
 * For the operator. Errors: not-found.
 */
export async function setTier(
  context: AccessContext,
  businessId: string,
  tier: Tier,
): Promise<Result<{ id: string; tier: Tier }, Problem>> {
  const known = await context.store.setBusinessTier(businessId, tier);
  return known ? ok({ id: businessId, tier }) : err(notFound("business", businessId));
}

/** Businesses in the order of their ids, a page behind the id of the last one that is known. For the operator. */
export async function listBusinesses(
  { store }: AccessContext,
  { after, limit }: ListBusinessesInput,
): Promise<Result<readonly Business[], Problem>> {
  return ok(await store.listBusinesses(after, limit));
}
