import { createHmac, timingSafeEqual } from "node:crypto";
import { type Random, randomToken } from "../../kernel/random.js";

/** The session that a refresh token belongs to. */
export interface RefreshClaim {
  readonly businessId: string;
  readonly sessionId: string;
}

const RANDOM_BYTES = 32;
const REFRESH_TOKEN = /^(bgk_rt_(\d{1,16})\.(\d{1,16})\.[\w-]{43})\.([\w-]{43})$/;

/**
 * Makes `bgk_rt_<business>.<session>.<random>.<mac>`.
 *
 * A used token ends its session when it is presented again. The MAC prevents callers from ending sessions with made-up
 * tokens: ids can be guessed, the MAC cannot.
 */
export function mintRefreshToken(key: Uint8Array, claim: RefreshClaim, random: Random): string {
  const unsigned = `bgk_rt_${claim.businessId}.${claim.sessionId}.${randomToken(random, RANDOM_BYTES)}`;
  return `${unsigned}.${macOf(key, unsigned).toString("base64url")}`;
}

/**
 * The one token that follows a token, whichever process makes it: requests that race with the same token all get this one.
 * Without the key it is as unpredictable as a random token.
 */
export function succeedingRefreshToken(key: Uint8Array, claim: RefreshClaim, token: string): string {
  const next = createHmac("sha256", key).update(`refresh-successor:${token}`).digest("base64url");
  const unsigned = `bgk_rt_${claim.businessId}.${claim.sessionId}.${next}`;
  return `${unsigned}.${macOf(key, unsigned).toString("base64url")}`;
}

/** The claim of a token that this service made; null for any other text. The store decides whether it is still valid. */
export function readRefreshToken(keys: readonly Uint8Array[], token: string): RefreshClaim | null {
  const [, unsigned, businessId, sessionId, mac] = REFRESH_TOKEN.exec(token) ?? [];
  if (unsigned === undefined || businessId === undefined || sessionId === undefined || mac === undefined) return null;
  const given = Buffer.from(mac, "base64url");
  return keys.some((key) => timingSafeEqual(given, macOf(key, unsigned))) ? { businessId, sessionId } : null;
}

/** The label separates this use of the key from the signing of access tokens. */
function macOf(key: Uint8Array, unsigned: string): Buffer {
  return createHmac("sha256", key).update(`refresh:${unsigned}`).digest();
}
