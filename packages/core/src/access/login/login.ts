import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { matchCommitted } from "../../commit/match-committed.js";
import type { Instant } from "../../kernel/clock.js";
import { emailKeyOf } from "../../kernel/email-address.js";
import { type Problem, TOO_MANY_REQUESTS, unauthorized, unavailable } from "../../kernel/problem.js";
import { STALE } from "../../kernel/retry-on-conflict.js";
import { admitLogin, type LoginAttempt, recordLogin, refundAttempt } from "../../limits/login-throttle.js";
import { replaceHashCommit } from "../access-commits.js";
import type { AccessContext } from "../access-context.js";
import { type GivenCodes, passSecondFactor } from "../account/second-factor.js";
import { auditFailedLogin } from "../audit-login.js";
import { type HashPriority, isHasherOverloaded } from "../password.js";
import { presentPassword } from "../password-rules.js";
import { NO_PASSWORD, type User } from "../user.js";
import { type LoginView, openSession } from "./session.js";

/** Source: contract, Login. The email's format is not checked: an unknown email is refused in any case. */
export const loginSchema = z
  .object({
    /** As the user was created with. */
    email: z.string().min(1).max(320),
    /** In plain text. */
    password: presentPassword,
    /** A code of the user's generator, where one is enrolled. */
    totp: z.string().min(1).max(64).optional().describe("A code of the user's generator, where one is enrolled."),
    /** In place of `totp`. Each works once. */
    recoveryCode: z.string().min(1).max(64).optional().describe("In place of `totp`. Each works once."),
  })
  .meta({ id: "Login" });
/** The credentials of a user. */
export interface Login extends z.input<typeof loginSchema> {}
export type LoginInput = z.output<typeof loginSchema>;

/**
 * Logs a user in by email and password. Failures and refusals leave audit entries ({@link auditFailedLogin}).
 * Attempts on an email that come at once are checked one by one, whether it exists or not: else their time would reveal
 * it, since the hashes of unknown accounts share work and those of known ones do not.
 * Errors: rate-limited, before any hashing (see admitLogin); unauthorized for an unknown email and for a wrong password,
 * after the same time, for a password that was replaced during the check, and for users who are disabled or have no
 * password; second-factor-needed for a right password without a valid code, where a second factor is enrolled;
 * unavailable when too many passwords are being hashed.
 */
export async function login(
  context: AccessContext,
  input: LoginInput,
  clientAddress: string | null,
  now: Instant,
): Promise<Result<LoginView, Problem>> {
  const emailKey = emailKeyOf(input.email);
  const attempt = { emailKey, clientAddress, now };
  const { refusal, isKnownNetwork } = await admitLogin(context.limits, attempt);
  if (refusal !== null) {
    auditFailedLogin(context, "user.login_refused", attempt);
    const { limit, resetAt: resetAtMs } = refusal;
    return err({ kind: "rate-limited", message: TOO_MANY_REQUESTS, limit, remaining: 0, resetAtMs });
  }
  try {
    const priority = isKnownNetwork ? "known-network" : "normal";
    const opened = await context.byAccount(`${priority} ${emailKey}`, () =>
      openByPassword(context, { ...input, emailKey, priority }, { clientAddress, now }),
    );
    if (opened.isOk()) await recordLogin(context.limits, attempt, isKnownNetwork);
    else if (isFirstStep(opened.error, input)) await refundAttempt(context.limits, attempt);
    else auditFailedLogin(context, "user.login_failed", attempt);
    return opened;
  } catch (error) {
    if (!isHasherOverloaded(error)) throw error;
    await refundAttempt(context.limits, attempt);
    return err(unavailable(1));
  }
}

/** True for a right password without a code, which is no failure: the client did not know that it needs one. */
function isFirstStep(problem: Problem, { totp, recoveryCode }: LoginInput): boolean {
  return problem.kind === "second-factor-needed" && totp === undefined && recoveryCode === undefined;
}

interface Credentials extends GivenCodes {
  readonly emailKey: string;
  readonly password: string;
  readonly priority: HashPriority;
}

/**
 * Checks the password again when the user changed during the check: by a concurrent login that renewed the hash of the
 * same password or used a code, or by a password reset.
 */
async function openByPassword(
  context: AccessContext,
  given: Credentials,
  call: Pick<LoginAttempt, "clientAddress" | "now">,
): Promise<Result<LoginView, Problem>> {
  const user = await findByPassword(context, given);
  if (user === null) return err(unauthorized);
  const refusal = await passSecondFactor(context, user, given, call);
  if (refusal !== null && refusal !== STALE) return err(refusal);
  const view = refusal === STALE ? null : await openSession(context, user, call);
  return view === null ? openByPassword(context, given, call) : ok(view);
}

async function findByPassword(context: AccessContext, given: Credentials): Promise<User | null> {
  const { emailKey, password, priority } = given;
  const user = await context.store.findUserByEmail(emailKey);
  if (user === null || user.disabledAt !== null || user.passwordHash === NO_PASSWORD) {
    await context.hasher.hash(password, "decoy"); // takes as long as a verification: the response time reveals nothing
    return null;
  }
  if (!(await context.hasher.verify(password, user.passwordHash, priority))) return null;
  return withRenewedHash(context, user, given);
}

/** Only a login has the password at hand. If another writer replaces the hash first, openSession returns null. */
async function withRenewedHash(context: AccessContext, user: User, { password, priority }: Credentials): Promise<User> {
  if (!context.hasher.needsRehash(user.passwordHash)) return user;
  const passwordHash = await context.hasher.hash(password, priority);
  const { businessId, id, version } = user;
  const committed = await context.commit(replaceHashCommit(businessId, id, user.passwordHash, passwordHash));
  return matchCommitted(committed, { written: { ...user, passwordHash, version: version + 1 }, stale: user });
}
