import type { Instant } from "../../kernel/clock.js";
import type { Random } from "../../kernel/random.js";
import { type SecretBox, sha256Hex } from "../../kernel/secret-box.js";
import { memoizedSingleFlight } from "../../kernel/single-flight.js";
import type { SecondFactor, User } from "../user.js";

const SECRET_BYTES = 20; // RFC 4226: the length of an HMAC-SHA-1
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;
const WINDOW = 1; // steps before and after the present one: the clock of a phone may be 30 seconds off

type Owner = Pick<User, "businessId" | "id">;

/** Loaded when a second factor is first used. */
const loadOtpauth = memoizedSingleFlight(() => import("otpauth"));

/** A new secret in base32. */
export async function mintTotpSecret(random: Random): Promise<string> {
  return base32(random, SECRET_BYTES);
}

/** `otpauth://totp/…`, which authenticator apps read from a QR code. */
export async function totpUrl(secret: string, issuer: string, label: string): Promise<string> {
  return (await generator(secret, issuer, label)).toString();
}

export function sealTotpSecret(box: SecretBox, owner: Owner, secret: string): string {
  return box.seal(secret, bindingOf(owner));
}

/**
 * The second factor after the use of a code; null for a wrong code and for one of a step that is not after `lastStep`,
 * so each code works once. The secret is sealed again, which replaces a former secret of the service.
 * Throws an Error when no configured secret of the service decrypts the user's secret.
 */
export async function useTotpCode(
  box: SecretBox,
  owner: Owner,
  factor: SecondFactor,
  code: string,
  now: Instant,
): Promise<SecondFactor | null> {
  const secret = box.open(factor.sealedSecret, bindingOf(owner));
  if (secret === null) throw new Error("no configured secret of the service decrypts this second factor");
  const totp = await generator(secret);
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW });
  if (delta === null) return null;
  const step = totp.counter({ timestamp: now }) + delta;
  if (step <= factor.lastStep) return null;
  return { ...factor, lastStep: step, sealedSecret: sealTotpSecret(box, owner, secret) };
}

/** New recovery codes, such as `abcd-efgh-ijkl-mnop`: 80 random bits each. */
export function mintRecoveryCodes(random: Random): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, async () => {
    const letters = (await base32(random, RECOVERY_BYTES)).toLowerCase();
    return (letters.match(/.{4}/g) ?? []).join("-");
  });
  return Promise.all(codes);
}

/** The stored form of a recovery code. It ignores case, spaces and dashes. */
export function hashRecoveryCode({ businessId, id }: Owner, code: string): string {
  return sha256Hex(`recovery:${businessId}:${id}:${code.toLowerCase().replace(/[\s-]/g, "")}`);
}

async function base32(random: Random, bytes: number): Promise<string> {
  const { Secret } = await loadOtpauth();
  return new Secret({ buffer: Uint8Array.from(random.bytes(bytes)).buffer }).base32;
}

async function generator(secret: string, issuer = "", label = "") {
  const { TOTP, Secret } = await loadOtpauth();
  return new TOTP({ secret: Secret.fromBase32(secret), issuer, label, algorithm: "SHA1", digits: 6, period: 30 });
}

/** Binds a sealed secret to its user, so that it does not decrypt for another one. */
function bindingOf({ businessId, id }: Owner): string {
  return `totp-secret:${businessId}:${id}`;
}
