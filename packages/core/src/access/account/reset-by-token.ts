import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { emailKeyOf } from "../../kernel/email-address.js";
import { brokenRule, type Problem, TOO_MANY_REQUESTS } from "../../kernel/problem.js";
import { admitNewPassword, admitOneTimeToken, admitPasswordReset } from "../../limits/login-throttle.js";
import type { LimitRefusal } from "../../limits/rate-limiter.js";
import { type AccessContext, inBackground } from "../access-context.js";
import { changeUser } from "../change-user.js";
import { unlessOverloaded } from "../password.js";
import { findWeakness, newPassword } from "../password-rules.js";
import { NO_PASSWORD, type User } from "../user.js";
import { sendToken } from "./mail-token.js";
import { isPasswordToken, type MintedToken, mintOneTimeToken, readOneTimeToken } from "./one-time-token.js";
import type { OwnCall } from "./own-account.js";

/** The email's format is not checked: the response is the same for every email. */
export const requestResetSchema = z.object({ email: z.string().min(1).max(320) }).meta({ id: "PasswordResetRequest" });
export type RequestResetInput = z.output<typeof requestResetSchema>;

export const setPasswordSchema = z
  .object({ token: z.string().min(1).max(255), password: newPassword })
  .meta({ id: "NewPassword" });
export type SetPasswordInput = z.output<typeof setPasswordSchema>;

/**
 * Mails a token by which the user with this email can set a new password within an hour. The response is the same for
 * an unknown email, and does not wait for the mail: neither its content nor its time shows whether a user exists.
 * Disabled users and users without a password get no mail.
 * Errors: not-implemented without a mailer; rate-limited after 5 requests for an account or 50 from an address in an
 * hour, and after more from its ranges.
 */
export async function requestPasswordReset(
  context: AccessContext,
  { email }: RequestResetInput,
  clientAddress: string | null,
  now: Instant = context.clock.now(),
): Promise<Result<{ message: string }, Problem>> {
  if (context.mailer === null) return err(noMailer);
  const emailKey = emailKeyOf(email);
  const refusal = await admitPasswordReset(context.limits, { emailKey, clientAddress, now });
  if (refusal !== null) return err(rateLimited(refusal));
  inBackground(context, () => mailReset(context, emailKey, now));
  return ok({ message: "If there is a user with this email, a mail is on its way." });
}

function rateLimited({ limit, resetAt: resetAtMs }: LimitRefusal): Problem {
  return { kind: "rate-limited", message: TOO_MANY_REQUESTS, limit, remaining: 0, resetAtMs };
}

const noMailer: Problem = {
  kind: "not-implemented",
  message: "This service sends no mails. Ask an administrator for a link that sets a new password.",
};

async function mailReset(context: AccessContext, emailKey: string, now: Instant): Promise<void> {
  const known = await context.store.findUserByEmail(emailKey);
  if (known === null) return;
  let minted: MintedToken | null = null;
  const changed = await changeUser(context, { kind: "system", businessId: known.businessId }, known.id, now, (user) => {
    minted = null;
    if (user.disabledAt !== null || user.passwordHash === NO_PASSWORD) return ok(null);
    minted = mintOneTimeToken(context.random, user, "password-reset", now);
    return ok({ user: { ...user, oneTimeToken: minted.stored }, act: "user.reset_requested" });
  });
  if (changed.isOk() && minted !== null) await sendToken(context, changed.value, minted);
}

/**
 * Sets a password with a one-time token of an invitation or a reset. The token works once; all sessions of the user end.
 * Concurrent calls for an account hash one after the other, and each looks at the token again before it hashes: a used
 * token costs no hash, so that no token delays the logins of others.
 * Errors: TOKEN_NOT_VALID for an unknown, used, replaced or expired token; WEAK_PASSWORD, which leaves the token valid;
 * rate-limited after 10 passwords for an account from one network in 15 minutes, or 50 tokens from an address, and after
 * more from its ranges; unavailable when too many passwords are being hashed.
 */
export async function setPassword(
  context: AccessContext,
  { token, password }: SetPasswordInput,
  clientAddress: string | null,
  now: Instant = context.clock.now(),
): Promise<Result<{ message: string }, Problem>> {
  const named = readOneTimeToken(token);
  if (named === null) return err(tokenNotValid);
  const outOfRange = await admitOneTimeToken(context.limits, { clientAddress, now });
  if (outOfRange !== null) return err(rateLimited(outOfRange));
  const find = async (): Promise<User | null> => {
    const user = await context.store.findUser(named.businessId, named.id);
    return user !== null && isPasswordToken(user, token, now) ? user : null;
  };
  const known = await find();
  if (known === null) return err(tokenNotValid);
  const weakness = await findWeakness(password, known.email, "password");
  if (weakness !== null) return err(weakness);
  const { emailKey } = known;
  const refusal = await admitNewPassword(context.limits, { emailKey, clientAddress, now });
  if (refusal !== null) return err(rateLimited(refusal));
  return context.byAccount(`token ${emailKey}`, async () =>
    (await find()) === null
      ? err(tokenNotValid)
      : unlessOverloaded(() => replacePassword(context, known, { token, password }, { clientAddress, now })),
  );
}

async function replacePassword(
  context: AccessContext,
  { businessId, id, role }: User,
  { token, password }: SetPasswordInput,
  { clientAddress, now }: OwnCall,
): Promise<Result<{ message: string }, Problem>> {
  const passwordHash = await context.hasher.hash(password);
  const address = clientAddress === null ? {} : { address: clientAddress };
  const actor: Actor = { kind: "user", businessId, id, role, sessionId: null, ...address };
  const changed = await changeUser(context, actor, id, now, (user) =>
    isPasswordToken(user, token, now)
      ? ok({
          user: { ...user, passwordHash, oneTimeToken: null },
          act: "user.password_reset",
          change: { fields: ["password"] },
          endSessions: { except: null },
        })
      : err(tokenNotValid),
  );
  return changed.map(() => ({ message: "The password is set. Log in with it." }));
}

const tokenNotValid: Problem = brokenRule(
  "TOKEN_NOT_VALID",
  "The token is unknown, used or expired. Ask for a new one.",
  { field: "token" },
);
