import { z } from "zod";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { memoizedSingleFlight } from "../kernel/single-flight.js";

export const MIN_PASSWORD_LENGTH = 12;

/** A password to set. `findWeakness` checks the rest: the length alone does not make a password good. */
export const newPassword = z
  .string()
  .min(1)
  .max(1_024)
  .describe(`At least ${MIN_PASSWORD_LENGTH} characters, and not one of the common passwords (422).`);

/** A password to compare. Passwords of former releases may be shorter. */
export const presentPassword = z.string().min(1).max(1_024);

/**
 * The problem of a new password: WEAK_PASSWORD for a short or common one, or the user's own email; null = none.
 * `field` is its name in the input.
 */
export async function findWeakness(password: string, email: string, field: string): Promise<Problem | null> {
  const folded = password.normalize("NFKC").toLowerCase();
  if ([...folded].length < MIN_PASSWORD_LENGTH) {
    return weak(field, `A password has at least ${MIN_PASSWORD_LENGTH} characters.`);
  }
  if (folded === email.normalize("NFKC").toLowerCase()) return weak(field, "The email cannot be the password.");
  const common = await loadCommonPasswords();
  return common.has(folded) ? weak(field, "This password is among the most common ones.") : null;
}

function weak(field: string, message: string): Problem {
  return brokenRule("WEAK_PASSWORD", message, { field });
}

/** Loaded with the first password that is set. Shorter entries are refused by their length. */
const loadCommonPasswords = memoizedSingleFlight(async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"].filter(({ length }) => length >= MIN_PASSWORD_LENGTH));
});
