import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { matchCommitted } from "../commit/match-committed.js";
import { makeAuditEntry } from "../events/audit-entry.js";
import { auditedChange } from "../events/field-changes.js";
import { type Actor, ROLES, type Role, refuseUnlessAdministrator, refuseUnlessReader } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { emailKeyOf } from "../kernel/email-address.js";
import { emailAddress, SIZES } from "../kernel/fields.js";
import { type PageRequest, type Pagination, paginationOf } from "../kernel/page.js";
import { notFound, type Problem } from "../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../kernel/retry-on-conflict.js";
import { insertUserCommit, removeUserCommit } from "./access-commits.js";
import type { AccessContext } from "./access-context.js";
import { changeUser, emailTaken, lastOwner, type UserDecision } from "./change-user.js";
import { unlessOverloaded } from "./password.js";
import { findWeakness, newPassword } from "./password-rules.js";
import type { User } from "./user.js";
import { type AccountView, accountViewOf, statusOf, type UserView, userViewOf } from "./user-view.js";

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

export const roleSchema = z.enum(ROLES);
export const emailSchema = z.string().min(1).max(320);

export interface UserList {
  /** The entries of this page. */
  readonly data: readonly AccountView[];
  /** Which page this is, and how many there are. */
  readonly pagination: Pagination;
}

/**
 * Creates a user who can log in. For the operator: no HTTP route calls this.
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
    const operator: Actor = { kind: "system", businessId: given.businessId };
    return (await insertUser(context, operator, "user.created", { ...given, passwordHash })).map(userViewOf);
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

/** Errors: conflict when any business has a user with this email. `id` is drawn unless it is given. */
export async function insertUser(
  context: AccessContext,
  actor: Actor,
  type: "user.created" | "user.invited",
  given: NewUser,
  id?: string,
): Promise<Result<User, Problem>> {
  const now = context.clock.now();
  const user: User = {
    oneTimeToken: null,
    ...given,
    id: id ?? (await context.ids.next(given.businessId)),
    version: 1,
    emailKey: emailKeyOf(given.email),
    avatarUrl: null,
    disabledAt: null,
    secondFactor: null,
    createdAt: now,
  };
  const change = { from: null, to: user.role };
  const { data } = auditedChange(null, accountViewOf(user));
  const audit = await makeAuditEntry(context.ids, actor, { type, subjectId: user.id, now, change, data });
  const committed = await context.commit(insertUserCommit(user, audit));
  return matchCommitted(committed, { written: ok(user), email: err(emailTaken) });
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

/** The users of the business in order of id. Errors: forbidden. */
export async function listUsers(
  { store }: AccessContext,
  actor: Actor,
  request: PageRequest,
): Promise<Result<UserList, Problem>> {
  const refusal = refuseUnlessReader(actor);
  if (refusal !== null) return err(refusal);
  const page = await store.listUsers(actor.businessId, request.limit, (request.page - 1) * request.limit);
  return ok({ data: page.entries.map(accountViewOf), pagination: paginationOf(request, page) });
}

/** The user with this email in any business; null = none. For the operator. */
export async function findUserByEmail({ store }: AccessContext, email: string): Promise<Result<AccountView, Problem>> {
  const user = await store.findUserByEmail(emailKeyOf(email));
  return user === null ? err(notFound("user", email)) : ok(accountViewOf(user));
}

/**
 * A user who becomes OWNER loses an unused token: an ADMIN may hold it, who may not act for an OWNER.
 * Errors: forbidden, not-found, LAST_OWNER, conflict.
 */
export function changeRole(context: AccessContext, actor: Actor, userId: string, role: Role) {
  return administerUser(context, actor, userId, [role], (user) => ({
    user: { ...user, role, oneTimeToken: role === "OWNER" ? null : user.oneTimeToken },
    act: "user.role_changed",
    change: { fields: ["role"], from: user.role, to: role },
  }));
}

/**
 * Refuses the user's logins from now on; their sessions end at once. Errors: forbidden, not-found, LAST_OWNER, conflict.
 */
export function disableUser(context: AccessContext, actor: Actor, userId: string, now: Instant = context.clock.now()) {
  return administerUser(context, actor, userId, [], (user) =>
    user.disabledAt !== null
      ? null
      : {
          user: { ...user, disabledAt: now, oneTimeToken: null },
          act: "user.disabled",
          change: { from: statusOf(user), to: "DISABLED" },
          endSessions: { except: null },
        },
  );
}

/** Lets a disabled user log in again. Errors: forbidden, not-found, conflict. */
export function enableUser(context: AccessContext, actor: Actor, userId: string) {
  return administerUser(context, actor, userId, [], (user) => {
    const enabled = { ...user, disabledAt: null };
    if (user.disabledAt === null) return null;
    return { user: enabled, act: "user.enabled", change: { from: "DISABLED", to: statusOf(enabled) } };
  });
}

/** Ends all sessions of a user, who may log in again. Errors: forbidden, not-found, conflict. */
export function endUserSessions(context: AccessContext, actor: Actor, userId: string) {
  return administerUser(context, actor, userId, [], (user) => ({
    user,
    act: "user.sessions_ended",
    endSessions: { except: null },
  }));
}

/** Removes the second factor of a user who lost it; their sessions end. Errors: forbidden, not-found, conflict. */
export function resetSecondFactor(context: AccessContext, actor: Actor, userId: string) {
  return administerUser(context, actor, userId, [], (user) =>
    user.secondFactor === null
      ? null
      : {
          user: { ...user, secondFactor: null },
          act: "user.second_factor_disabled",
          change: { fields: ["secondFactor"] },
          endSessions: { except: null },
        },
  );
}

/** Deletes a user and ends their sessions; the email is free again. Errors: forbidden, not-found, LAST_OWNER, conflict. */
export async function removeUser(
  context: AccessContext,
  actor: Actor,
  userId: string,
): Promise<Result<AccountView, Problem>> {
  return retryOnConflict(
    async () => {
      const user = await context.store.findUser(actor.businessId, userId);
      const refusal = refuseAdministration(actor, user === null ? [] : [user.role]);
      if (refusal !== null) return err(refusal);
      if (user === null) return err(notFound("user", userId));
      const act = { type: "user.removed", subjectId: userId, now: context.clock.now() } as const;
      const change = { from: statusOf(user) };
      const { data } = auditedChange(accountViewOf(user), null);
      const audit = await makeAuditEntry(context.ids, actor, { ...act, change, data });
      const committed = await context.commit(removeUserCommit(userId, user.version, audit));
      return matchCommitted(committed, {
        written: ok(accountViewOf(user)),
        stale: STALE,
        "last-owner": err(lastOwner),
      });
    },
    () => keepsChanging("user", userId),
  );
}

/** Changes a user on behalf of an administrator. `given` are the roles that the change gives. */
async function administerUser(
  context: AccessContext,
  actor: Actor,
  userId: string,
  given: readonly Role[],
  decide: (user: User) => UserDecision | null,
): Promise<Result<AccountView, Problem>> {
  const refusal = refuseAdministration(actor, given);
  if (refusal !== null) return err(refusal);
  const changed = await changeUser(context, actor, userId, context.clock.now(), (user) => {
    const refused = refuseAdministration(actor, [user.role]);
    return refused === null ? ok(decide(user)) : err(refused);
  });
  return changed.map(accountViewOf);
}

/** An ADMIN may not change an OWNER and may not make one. Null = allowed. */
export function refuseAdministration(actor: Actor, roles: readonly Role[]): Problem | null {
  if (actor.kind === "user" && actor.role !== "OWNER" && roles.includes("OWNER")) {
    return { kind: "forbidden", message: "This takes the role OWNER." };
  }
  return refuseUnlessAdministrator(actor);
}
