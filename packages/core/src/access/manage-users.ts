import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { matchCommitted } from "../commit/match-committed.js";
import { makeAuditEntry } from "../events/audit-entry.js";
import { auditedChange } from "../events/field-changes.js";
import { claimLost } from "../idempotency/write-options.js";
import { type Actor, ROLES, refuseUnlessAdministrator } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { emailKeyOf } from "../kernel/email-address.js";
import { emailAddress, SIZES } from "../kernel/fields.js";
import { type PageRequest, paginationOf } from "../kernel/page.js";
import { notFound, type Problem } from "../kernel/problem.js";
import { insertUserCommit } from "./access-commits.js";
import type { AccessContext } from "./access-context.js";
import { changeUser, emailTaken } from "./change-user.js";
import { unlessOverloaded } from "./password.js";
import { findWeakness, newPassword } from "./password-rules.js";
import type { User } from "./user.js";
import { type AccountView, accountFieldsOf, type UserView, type userListSchema, userViewOf } from "./user-view.js";
import { viewAccount, viewAccounts } from "./view-accounts.js";

export const displayName = z.string().min(1).max(SIZES.name);

/** The password is stored as a hash only. */
export const createUserSchema = z.object({
  /** Id of the business that the user belongs to. */
  businessId: z.string(),
  /** Unique over all businesses. */
  email: emailAddress,
  /** In plain text; only its hash is stored. */
  password: newPassword,
  /** Name for people to read. */
  displayName,
  /** What the user may do in the business. */
  role: z.enum(ROLES),
  /** True when the host has verified the address. Default false. */
  emailVerified: z.boolean().default(false),
});
/** A user who can log in. */
export interface CreateUser extends z.input<typeof createUserSchema> {}
export type CreateUserInput = z.output<typeof createUserSchema>;

export const resetPasswordSchema = createUserSchema.pick({ email: true, password: true });
export type ResetPasswordInput = z.output<typeof resetPasswordSchema>;

export const emailSchema = z.string().min(1).max(320);

/** A page of the users of a business. */
export interface UserList extends Readonly<z.infer<typeof userListSchema>> {}

/**
 * Creates a user with a password, who can log in at once. For the operator: over HTTP a user is invited.
 * Errors: not-found for an unknown business; conflict when any business has a user with this email; WEAK_PASSWORD;
 * unavailable when too many passwords are being hashed.
 */
export async function createUser(context: AccessContext, input: CreateUserInput): Promise<Result<UserView, Problem>> {
  const { password, ...given } = input;
  if ((await context.store.findBusiness(given.businessId)) === null) {
    return err(notFound("business", given.businessId));
  }
  const weakness = await findWeakness(password, given.email, "password");
  if (weakness !== null) return err(weakness);
  const emailKey = emailKeyOf(given.email);
  return byOperator(context, emailKey, async () => {
    if ((await context.store.findUserByEmail(emailKey)) !== null) return err(emailTaken);
    const passwordHash = await context.hasher.hash(password);
    const { businessId } = given;
    const user = newUser({ ...given, passwordHash }, await context.ids.next(businessId), context.clock.now());
    return (await insertUser(context, { kind: "system", businessId }, "user.created", user)).map(userViewOf);
  });
}

/** Hashes the passwords that an operator sets for an account one after the other. Errors: those of `run`; unavailable. */
function byOperator<T>(
  context: AccessContext,
  emailKey: string,
  run: () => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  return context.byAccount(`operator ${emailKey}`, () => unlessOverloaded(run));
}

type NewUser = Pick<User, "businessId" | "email" | "displayName" | "role" | "emailVerified" | "passwordHash"> &
  Partial<Pick<User, "oneTimeToken">>;

export function newUser(given: NewUser, id: string, now: Instant): User {
  return {
    oneTimeToken: null,
    ...given,
    id,
    version: 1,
    emailKey: emailKeyOf(given.email),
    avatarUrl: null,
    disabledAt: null,
    secondFactor: null,
    createdAt: now,
    lastLoginAt: null,
  };
}

/**
 * `claimed` completes the claim of an Idempotency-Key. Errors: conflict when any business has a user with this email, and
 * when another request took over the key.
 */
export async function insertUser(
  context: AccessContext,
  actor: Actor,
  type: "user.created" | "user.invited",
  user: User,
  claimed?: Parameters<AccessContext["commit"]>[1],
): Promise<Result<User, Problem>> {
  const change = { from: null, to: user.role };
  const { data } = auditedChange(null, accountFieldsOf(user));
  const act = { type, subjectId: user.id, now: user.createdAt, change, data };
  const audit = await makeAuditEntry(context.ids, actor, act);
  const committed = await context.commit(insertUserCommit(user, audit), claimed);
  return matchCommitted(committed, { written: ok(user), email: err(emailTaken), "claim-lost": err(claimLost) });
}

/**
 * Sets a new password for the user with this email, and ends all sessions and the one-time token of the user. For the
 * operator, when a password is lost. Errors: not-found; WEAK_PASSWORD; unavailable as for createUser.
 */
export async function resetPassword(
  context: AccessContext,
  { email, password }: ResetPasswordInput,
): Promise<Result<UserView, Problem>> {
  const { store, hasher, clock } = context;
  const known = await store.findUserByEmail(emailKeyOf(email));
  if (known === null) return err(notFound("user", email));
  const weakness = await findWeakness(password, known.email, "password");
  if (weakness !== null) return err(weakness);
  return byOperator(context, known.emailKey, async () => {
    const passwordHash = await hasher.hash(password);
    const operator: Actor = { kind: "system", businessId: known.businessId };
    const reset = await changeUser(context, operator, known.id, clock.now(), (user) =>
      ok({
        user: { ...user, passwordHash, oneTimeToken: null },
        act: "user.password_reset",
        change: { fields: ["password"] },
        endSessions: { except: null },
      }),
    );
    return reset.map(userViewOf);
  });
}

/** The users of the business in order of id, for its administrators. Errors: forbidden. */
export async function listUsers(
  context: AccessContext,
  actor: Actor,
  request: PageRequest,
): Promise<Result<UserList, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const page = await context.store.listUsers(actor.businessId, request.limit, (request.page - 1) * request.limit);
  const data = await viewAccounts(context, actor.businessId, page.entries);
  return ok({ data, pagination: paginationOf(request, page) });
}

/** A user of the business, for its administrators. Errors: forbidden, not-found. */
export async function getUser(
  context: AccessContext,
  actor: Actor,
  userId: string,
): Promise<Result<AccountView, Problem>> {
  const refusal = refuseUnlessAdministrator(actor);
  if (refusal !== null) return err(refusal);
  const user = await context.store.findUser(actor.businessId, userId);
  return user === null ? err(notFound("user", userId)) : ok(await viewAccount(context, user));
}

/** The user with this email in any business; null = none. For the operator. */
export async function findUserByEmail(context: AccessContext, email: string): Promise<Result<AccountView, Problem>> {
  const user = await context.store.findUserByEmail(emailKeyOf(email));
  return user === null ? err(notFound("user", email)) : ok(await viewAccount(context, user));
}
