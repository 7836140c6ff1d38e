import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from "../../kernel/clock.js";
import { type Random, randomToken } from "../../kernel/random.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import type { MailedPurpose } from "../mailer.js";
import type { OneTimeToken, User } from "../user.js";

type Purpose = OneTimeToken["purpose"];

const LIFETIMES_MS: Readonly<Record<Purpose, number>> = {
  invitation: 7 * DAY_MS,
  "password-reset": HOUR_MS,
  login: 10 * MINUTE_MS,
};

const RANDOM_BYTES = 32;
const TOKEN = /^bgk_ot_(\d{1,16})\.(\d{1,16})\.[\w-]{43}$/;

export interface MintedToken<P extends Purpose = MailedPurpose> {
  readonly token: string; // shown once
  readonly stored: OneTimeToken & { readonly purpose: P };
}

/** Makes `bgk_ot_<business>.<user>.<random>`. */
export function mintOneTimeToken<P extends Purpose>(
  random: Random,
  { businessId, id }: Pick<User, "businessId" | "id">,
  purpose: P,
  now: Instant,
): MintedToken<P> {
  const token = `bgk_ot_${businessId}.${id}.${randomToken(random, RANDOM_BYTES)}`;
  return { token, stored: { purpose, hash: sha256Hex(token), expiresAt: now + LIFETIMES_MS[purpose] } };
}

/** The user that a token names; null for any other text. `isPasswordToken` and `isLoginToken` decide whether it is valid. */
export function readOneTimeToken(token: string): Pick<User, "businessId" | "id"> | null {
  const [, businessId, id] = TOKEN.exec(token) ?? [];
  return businessId === undefined || id === undefined ? null : { businessId, id };
}

/** True for the user's unused token that sets a password, before its expiry. Disabled users have none. */
export function isPasswordToken(user: User, token: string, now: Instant): boolean {
  return user.oneTimeToken?.purpose !== "login" && isOneTimeToken(user, token, now);
}

/** True for the user's unused token that logs in, before its expiry. Disabled users have none. */
export function isLoginToken(user: User, token: string, now: Instant): boolean {
  return user.oneTimeToken?.purpose === "login" && isOneTimeToken(user, token, now);
}

function isOneTimeToken({ oneTimeToken, disabledAt }: User, token: string, now: Instant): boolean {
  if (oneTimeToken === null || disabledAt !== null) return false;
  return oneTimeToken.hash === sha256Hex(token) && now < oneTimeToken.expiresAt;
}
