import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { emailKeyOf } from "../../kernel/email-address.js";
import { emailAddress } from "../../kernel/fields.js";
import { brokenRule, type Problem, TOO_MANY_REQUESTS } from "../../kernel/problem.js";
import { admitLogin, recordLogin, refundAttempt } from "../../limits/login-throttle.js";
import type { AccessContext } from "../access-context.js";
import { auditFailedLogin } from "../audit-login.js";
import { changeUser, emailTaken } from "../change-user.js";
import { unlessOverloaded } from "../password.js";
import { findWeakness, newPassword, presentPassword } from "../password-rules.js";
import { activeFactorOf, type User } from "../user.js";
import { type OwnAccountView, type UserView, userViewOf } from "../user-view.js";
import { viewAccount } from "../view-accounts.js";

export const changePasswordSchema = z
  .object({ currentPassword: presentPassword, newPassword })
  .meta({ id: "PasswordChange" });
export type ChangePasswordInput = z.output<typeof changePasswordSchema>;

export const changeEmailSchema = z
  .object({ password: presentPassword, email: emailAddress })
  .meta({ id: "EmailChange" });
export type ChangeEmailInput = z.output<typeof changeEmailSchema>;

/** The address and the time of a request. */
export interface OwnCall {
  readonly clientAddress: string | null; // null = unknown
  readonly now: Instant;
}

/**
 * The account of the caller. A user of the host's own login is not looked up: a user of this service may have the same id.
 * Errors: forbidden for a caller who is no user.
 */
export async function getOwnAccount(context: AccessContext, actor: Actor): Promise<Result<OwnAccountView, Problem>> {
  if (actor.kind !== "user") return err(notOfThisService);
  const { businessId, id, role, sessionId } = actor;
  if (sessionId === null) return ok({ ...NOT_KNOWN, id, businessId: Number(businessId), role });
  const [user, business] = await Promise.all([
    context.store.findUser(businessId, id),
    context.store.findBusiness(businessId),
  ]);
  if (user === null) return err(notOfThisService);
  const isRequired = business?.profile.requireSecondFactor === true && activeFactorOf(user) === null;
  return ok({ ...(await viewAccount(context, user)), secondFactorRequired: isRequired });
}

const NOT_KNOWN = {
  ...{ email: null, displayName: null, avatarUrl: null, emailVerified: null, status: null },
  ...{ hasSecondFactor: null, createdAt: null, lastLoginAt: null, openSessions: null, secondFactorRequired: false },
};

/**
 * Sets a new password for the caller. The other sessions of the user end.
 * Errors: those of {@link asOneself}; WRONG_PASSWORD; WEAK_PASSWORD; conflict.
 */
export async function changePassword(
  context: AccessContext,
  actor: Actor,
  { currentPassword, newPassword }: ChangePasswordInput,
  call: OwnCall,
): Promise<Result<{ message: string }, Problem>> {
  return asOneself(context, actor, call, async (self) => {
    const weakness = await findWeakness(newPassword, self.email, "newPassword");
    if (weakness !== null) return err(weakness);
    const passwordHash = await context.hasher.hash(newPassword);
    const changed = await changeUser(context, actor, self.id, call.now, async (user) => {
      if (!(await context.hasher.verify(currentPassword, user.passwordHash))) return err(wrong("currentPassword"));
      return ok({
        user: { ...user, passwordHash, oneTimeToken: null },
        act: "user.password_changed",
        change: { fields: ["password"] },
        endSessions: { except: sessionOf(actor) },
      });
    });
    return changed.map(() => ({ message: "The password is changed; the other sessions have ended." }));
  });
}

/**
 * Changes the email by which the caller logs in. The new one counts as unverified.
 * Errors: those of {@link asOneself}; WRONG_PASSWORD; conflict when any business has a user with this email.
 */
export async function changeEmail(
  context: AccessContext,
  actor: Actor,
  { password, email }: ChangeEmailInput,
  call: OwnCall,
): Promise<Result<UserView, Problem>> {
  return asOneself(context, actor, call, async ({ id }) => {
    const changed = await changeUser(context, actor, id, call.now, async (user) => {
      if (!(await context.hasher.verify(password, user.passwordHash))) return err(wrong("password"));
      if (user.email === email) return ok(null);
      return ok({
        user: { ...user, email, emailKey: emailKeyOf(email), emailVerified: false, oneTimeToken: null },
        act: "user.email_changed",
        change: { fields: ["email"] },
      });
    });
    return changed.map(userViewOf);
  });
}

/**
 * Runs an act of a user on the own account that needs the present password or a code. A wrong one counts as a failed
 * login of the account, with its audit entry, so that a stolen session cannot be used to guess. An email in use counts as
 * well, without an entry: else the users of other businesses could be listed.
 * Errors: those of `run`; forbidden for a caller who has no password in this service; rate-limited as for a login;
 * unavailable when too many passwords are being hashed.
 */
export async function asOneself<T>(
  context: AccessContext,
  actor: Actor,
  { clientAddress, now }: OwnCall,
  run: (self: User) => Promise<Result<T, Problem>>,
): Promise<Result<T, Problem>> {
  const self = await findSelf(context, actor);
  if (self.isErr()) return err(self.error);
  const attempt = { emailKey: self.value.emailKey, clientAddress, now };
  const { refusal, isKnownNetwork } = await admitLogin(context.limits, attempt);
  if (refusal !== null) {
    auditFailedLogin(context, "user.login_refused", attempt);
    const { limit, resetAt: resetAtMs } = refusal;
    return err({ kind: "rate-limited", message: TOO_MANY_REQUESTS, limit, remaining: 0, resetAtMs });
  }
  const outcome = await context.byAccount(`self ${attempt.emailKey}`, () => unlessOverloaded(() => run(self.value)));
  if (outcome.isOk()) await recordLogin(context.limits, attempt, isKnownNetwork);
  else if (isGuess(outcome.error)) auditFailedLogin(context, "user.login_failed", attempt);
  else if (outcome.error !== emailTaken) await refundAttempt(context.limits, attempt);
  return outcome;
}

/** The stored user of the caller. Errors: forbidden. */
async function findSelf(context: AccessContext, actor: Actor): Promise<Result<User, Problem>> {
  const user = actor.kind === "user" ? await context.store.findUser(actor.businessId, actor.id) : null;
  return user === null ? err(notOfThisService) : ok(user);
}

const notOfThisService: Problem = { kind: "forbidden", message: "The caller has no account in this service." };

/** The session of the caller; null = none of this service. */
export function sessionOf(actor: Actor): string | null {
  return actor.kind === "user" ? actor.sessionId : null;
}

function isGuess(problem: Problem): boolean {
  return problem.kind === "rule" && (problem.rule === "WRONG_PASSWORD" || problem.rule === "WRONG_CODE");
}

export function wrong(field: "password" | "currentPassword"): Problem {
  return brokenRule("WRONG_PASSWORD", "This is not the present password.", { field });
}
