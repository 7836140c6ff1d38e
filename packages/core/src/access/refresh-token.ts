import { createHmac, timingSafeEqual } from "node:crypto";
import { randomToken } from "../kernel/digest.js";
import type { Random } from "../kernel/random.js";

/** Which session a refresh token is meant to continue. */
export interface RefreshClaim {
  readonly businessId: string;
  readonly sessionId: string;
}

const RANDOM_BYTES = 32;
const REFRESH_TOKEN = /^(bgk_rt_(\d{1,16})\.(\d{1,16})\.[\w-]{43})\.([\w-]{43})$/;

/**
 * Makes `bgk_rt_<business>.<session>.<random>.<mac>`.
 *
 * Presenting a token that was used before ends its session. The MAC sees to it that only tokens which this service
 * made can do that: ids alone, which can be guessed, cannot.
 */
export function mintRefreshToken(key: Uint8Array, claim: RefreshClaim, random: Random): string {
  const unsigned = `bgk_rt_${claim.businessId}.${claim.sessionId}.${randomToken(random, RANDOM_BYTES)}`;
  return `${unsigned}.${macOf(key, unsigned).toString("base64url")}`;
}

/** What a token of this service claims; null for any other text. Whether it is still good, the store knows. */
export function readRefreshToken(keys: readonly Uint8Array[], token: string): RefreshClaim | null {
  const [, unsigned, businessId, sessionId, mac] = REFRESH_TOKEN.exec(token) ?? [];
  if (unsigned === undefined || businessId === undefined || sessionId === undefined || mac === undefined) return null;
  const given = Buffer.from(mac, "base64url");
  return keys.some((key) => timingSafeEqual(given, macOf(key, unsigned))) ? { businessId, sessionId } : null;
}

/** The label keeps this use of the key apart from the signing of access tokens, whose texts begin otherwise. */
function macOf(key: Uint8Array, unsigned: string): Buffer {
  return createHmac("sha256", key).update(`refresh:${unsigned}`).digest();
}
