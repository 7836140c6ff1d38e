import { z } from "zod";
import { HOUR_MS, type Instant, SECOND_MS } from "../../kernel/clock.js";
import { loadJose } from "../../signing/signing-keys.js";

/** The token holds no permissions: each request looks the role up. */
export interface AccessClaims {
  readonly businessId: string;
  readonly userId: string;
  readonly sessionId: string;
}

export const ACCESS_TOKEN_SECONDS = HOUR_MS / SECOND_MS;

const ALGORITHM = "HS256";
const ISSUER = "budgetkit";
const AUDIENCE = "budgetkit:management";

const payloadSchema = z.object({ sub: z.string(), sid: z.string(), bid: z.string() });

/** Signs a JWT (RFC 7519) that is valid for an hour, or until its session ends. */
export async function signAccessToken(key: Uint8Array, claims: AccessClaims, now: Instant): Promise<string> {
  const { SignJWT } = await loadJose();
  const issuedAt = Math.floor(now / SECOND_MS);
  return new SignJWT({ sid: claims.sessionId, bid: claims.businessId })
    .setProtectedHeader({ alg: ALGORITHM, typ: "JWT" })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject(claims.userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
    .sign(key);
}

/** The claims of a token that one of the keys signed and that is valid at `now`; null otherwise. */
export async function readAccessToken(
  keys: readonly Uint8Array[],
  token: string,
  now: Instant,
): Promise<AccessClaims | null> {
  const jose = await loadJose();
  for (const key of keys) {
    const claims = await verifyWith(jose, key, token, now);
    if (claims !== null) return claims;
  }
  return null;
}

async function verifyWith(
  { jwtVerify }: Awaited<ReturnType<typeof loadJose>>,
  key: Uint8Array,
  token: string,
  now: Instant,
): Promise<AccessClaims | null> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ["exp", "sub", "sid", "bid"],
      currentDate: new Date(now),
    });
    const { sub, sid, bid } = payloadSchema.parse(payload);
    return { businessId: bid, userId: sub, sessionId: sid };
  } catch {
    return null; // the response gives no reason
  }
}
