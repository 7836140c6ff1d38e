import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { matchCommitted } from "../../commit/match-committed.js";
import type { Actor } from "../../kernel/actor.js";
import { brokenRule, type Problem } from "../../kernel/problem.js";
import { STALE } from "../../kernel/retry-on-conflict.js";
import { replaceUserCommit } from "../access-commits.js";
import type { AccessContext } from "../access-context.js";
import { accountEntryOf } from "../audit-login.js";
import { changeUser } from "../change-user.js";
import { presentPassword } from "../password-rules.js";
import { activeFactorOf, type SecondFactor, type User } from "../user.js";
import { asOneself, type OwnCall, sessionOf, wrong } from "./own-account.js";
import { hashRecoveryCode, mintRecoveryCodes, mintTotpSecret, sealTotpSecret, totpUrl, useTotpCode } from "./totp.js";

const code = z.string().min(1).max(64);

export const enrolTotpSchema = z.object({ password: presentPassword }).meta({ id: "TotpEnrolment" });
export const confirmTotpSchema = z.object({ code }).meta({ id: "TotpConfirmation" });
export const disableTotpSchema = z
  .object({ password: presentPassword, code: code.describe("A code of the generator, or a recovery code.") })
  .meta({ id: "TotpRemoval" });

export const totpViewSchema = z
  .object({
    secret: z.string().describe("Base32, to type into an authenticator app."),
    url: z.string().describe("An otpauth:// URL, to show as a QR code."),
  })
  .meta({ id: "TotpSecret" });
export type TotpView = z.infer<typeof totpViewSchema>;

export const recoveryCodesSchema = z
  .object({ recoveryCodes: z.array(z.string()).describe("Each logs in once in place of a code. Shown once.") })
  .meta({ id: "RecoveryCodes" });
export type RecoveryCodesView = z.infer<typeof recoveryCodesSchema>;

/**
 * Makes the secret of a generator of codes for the caller; only this response shows it. Logins ask for a code once
 * {@link confirmTotp} has accepted one. A new secret replaces one that was not confirmed.
 * Errors: those of asOneself; WRONG_PASSWORD; conflict when a second factor is in use.
 */
export async function enrolTotp(
  context: AccessContext,
  actor: Actor,
  { password }: z.output<typeof enrolTotpSchema>,
  call: OwnCall,
): Promise<Result<TotpView, Problem>> {
  const { store, secrets, random, hasher } = context;
  return asOneself(context, actor, call, async (self) => {
    const secret = await mintTotpSecret(random);
    const sealedSecret = sealTotpSecret(secrets.box, self, secret);
    const secondFactor: SecondFactor = { sealedSecret, confirmedAt: null, lastStep: 0, recoveryHashes: [] };
    const enrolled = await changeUser(context, actor, self.id, call.now, async (user) => {
      if (!(await hasher.verify(password, user.passwordHash))) return err(wrong("password"));
      if (activeFactorOf(user) !== null) return err(alreadyInUse);
      return ok({ user: { ...user, secondFactor }, act: "user.second_factor_enrolled" });
    });
    if (enrolled.isErr()) return err(enrolled.error);
    const business = await store.findBusiness(self.businessId);
    return ok({ secret, url: await totpUrl(secret, business?.name || "Budgetkit", enrolled.value.email) });
  });
}

const alreadyInUse: Problem = {
  kind: "conflict",
  message: "A second factor is in use. Disable it before you enrol another one.",
  details: {},
};

/**
 * Turns the enrolled generator on with one of its codes. Only this response shows the recovery codes. The other sessions of
 * the user end: they were opened without a code, possibly by someone who knows the password alone.
 * Errors: those of asOneself; conflict when nothing waits for a confirmation; WRONG_CODE.
 */
export async function confirmTotp(
  context: AccessContext,
  actor: Actor,
  { code }: z.output<typeof confirmTotpSchema>,
  call: OwnCall,
): Promise<Result<RecoveryCodesView, Problem>> {
  const { now } = call;
  return asOneself(context, actor, call, async (self) => {
    const recoveryCodes = await mintRecoveryCodes(context.random);
    const recoveryHashes = recoveryCodes.map((each) => hashRecoveryCode(self, each));
    const confirmed = await changeUser(context, actor, self.id, now, async (user) => {
      const { secondFactor: enrolled } = user;
      if (enrolled === null || enrolled.confirmedAt !== null) return err(nothingToConfirm);
      const used = await useTotpCode(context.secrets.box, user, enrolled, code, now);
      if (used === null) return err(wrongCode);
      const secondFactor = { ...used, confirmedAt: now, recoveryHashes };
      return ok({
        user: { ...user, secondFactor },
        act: "user.second_factor_enabled",
        endSessions: { except: sessionOf(actor) },
      });
    });
    return confirmed.map(() => ({ recoveryCodes }));
  });
}

const nothingToConfirm: Problem = {
  kind: "conflict",
  message: "No enrolled second factor waits for its confirmation.",
  details: {},
};

const wrongCode: Problem = brokenRule("WRONG_CODE", "The code is wrong, expired or used already.", { field: "code" });

/**
 * Removes the caller's second factor. Errors: those of asOneself; WRONG_PASSWORD; WRONG_CODE for a code that is neither
 * of the generator nor an unused recovery code; conflict when there is none; SECOND_FACTOR_DEMANDED where the business
 * demands one.
 */
export async function disableTotp(
  context: AccessContext,
  actor: Actor,
  { password, code }: z.output<typeof disableTotpSchema>,
  call: OwnCall,
): Promise<Result<{ message: string }, Problem>> {
  return asOneself(context, actor, call, async ({ businessId, id }) => {
    const business = await context.store.findBusiness(businessId);
    if (business?.profile.requireSecondFactor === true) return err(demanded);
    const changed = await changeUser(context, actor, id, call.now, async (user) => {
      const factor = activeFactorOf(user);
      if (factor === null) return err(notInUse);
      if (!(await context.hasher.verify(password, user.passwordHash))) return err(wrong("password"));
      const used =
        (await useTotpCode(context.secrets.box, user, factor, code, call.now)) ?? useRecoveryCode(user, factor, code);
      if (used === null) return err(wrongCode);
      return ok({ user: { ...user, secondFactor: null }, act: "user.second_factor_disabled" });
    });
    return changed.map(() => ({ message: "The second factor is disabled." }));
  });
}

const demanded: Problem = brokenRule(
  "SECOND_FACTOR_DEMANDED",
  "The business demands a second factor of every user. An OWNER can end that in its settings.",
);

const notInUse: Problem = { kind: "conflict", message: "No second factor is in use.", details: {} };

/** The codes of a login. */
export interface GivenCodes {
  readonly totp?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

/**
 * Checks the second factor of a user whose password was checked, and marks the code as used.
 * @returns null when the user has none or the code is right; STALE when the user changed meanwhile. Errors:
 * second-factor-needed without a code, and for a wrong or used one.
 */
export async function passSecondFactor(
  context: AccessContext,
  user: User,
  { totp, recoveryCode }: GivenCodes,
  call: OwnCall,
): Promise<Problem | typeof STALE | null> {
  const factor = activeFactorOf(user);
  if (factor === null) return null;
  if (totp === undefined && recoveryCode === undefined) return codeNeeded;
  const used =
    totp === undefined
      ? useRecoveryCode(user, factor, recoveryCode ?? "")
      : await useTotpCode(context.secrets.box, user, factor, totp, call.now);
  if (used === null) return codeRefused;
  const next = { ...user, version: user.version + 1, secondFactor: used };
  const isScarce = totp === undefined; // the entry of the login says enough about a code of the generator
  const audit = isScarce ? await accountEntryOf(context.ids, "user.recovery_code_used", user, call) : null;
  const committed = await context.commit(replaceUserCommit(next, user.version, null, audit));
  return matchCommitted(committed, { written: null, stale: STALE, "last-owner": STALE });
}

const codeNeeded: Problem = {
  kind: "second-factor-needed",
  message: "This user has a second factor: send `totp`, a code of the generator, or `recoveryCode` as well.",
};

const codeRefused: Problem = {
  kind: "second-factor-needed",
  message: "The code of the second factor is wrong, expired or used already.",
};

/** The second factor after the use of a recovery code; null = the code is not valid. */
function useRecoveryCode(user: User, factor: SecondFactor, code: string): SecondFactor | null {
  const used = hashRecoveryCode(user, code);
  if (!factor.recoveryHashes.includes(used)) return null;
  return { ...factor, recoveryHashes: factor.recoveryHashes.filter((each) => each !== used) };
}
