import { err, ok, type Result } from "neverthrow";
import type { Actor } from "../kernel/actor.js";
import { type Instant, MINUTE_MS } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import type { AccessContext } from "./access-context.js";
import { readAccessToken } from "./access-token.js";
import type { ApiKey } from "./api-key.js";
import { isAllowed } from "./ip-allow-list.js";
import { hashKey, isWellFormedKey } from "./key-format.js";
import { isLive } from "./session.js";

export type UserActor = Extract<Actor, { kind: "user" }>;
export type KeyActor = Extract<Actor, { kind: "key" }>;

const unauthorized: Problem = { kind: "unauthorized" };

/**
 * Finds the key that a request presents. It is looked up each time, and what the store answers is never older than the
 * last change that was acknowledged: a revocation holds at once.
 * Errors: unauthorized, the same for a key that is ill-formed, unknown, suspended, revoked or expired; forbidden for a
 * client outside the key's allow-list.
 */
export async function authenticateKey(
  context: AccessContext,
  presented: string,
  clientAddress: string | null,
  now: Instant,
): Promise<Result<ApiKey, Problem>> {
  if (!isWellFormedKey(presented)) return err(unauthorized);
  const keyHash = hashKey(presented);
  const key = await context.store.findKeyByHash(keyHash);
  if (key === null || !isUsable(key, keyHash, now)) return err(unauthorized);
  if (!isAllowed(clientAddress, key.allowedIps)) {
    return err({ kind: "forbidden", message: "This API key may not be used from this address." });
  }
  recordUse(context, key, now);
  return ok(key);
}

/** The key as the one who acts. */
export function keyActor(key: ApiKey): KeyActor {
  return { kind: "key", businessId: key.businessId, id: key.id, scopes: key.scopes };
}

function isUsable(key: ApiKey, presentedHash: string, now: Instant): boolean {
  if (key.status !== "ACTIVE") return false;
  if (key.expiresAt !== null && now >= key.expiresAt) return false;
  if (presentedHash === key.keyHash) return true;
  return presentedHash === key.previousKeyHash && key.previousKeyExpiresAt !== null && now < key.previousKeyExpiresAt;
}

/**
 * Writes the minute of the use, once; the request does not wait for it and does not fail with it. However slow the
 * store, no use waits in it beside another of the same key and minute.
 */
function recordUse({ store, usesUnderWay, onError }: AccessContext, key: ApiKey, now: Instant): void {
  const minute = now - (now % MINUTE_MS);
  if (key.lastUsedAt !== null && key.lastUsedAt >= minute) return;
  const use = `${key.businessId}/${key.id}/${minute}`;
  if (usesUnderWay.has(use)) return;
  usesUnderWay.add(use);
  store
    .touchKey(key.businessId, key.id, minute)
    .catch(onError)
    .finally(() => usesUnderWay.delete(use));
}

/**
 * Finds the user whom an access token speaks for. The session and the user are looked up each time: a logout holds at
 * once, and the role is the one stored now. Errors: unauthorized, whatever is wrong.
 */
export async function authenticateUser(
  context: AccessContext,
  token: string,
  now: Instant,
): Promise<Result<UserActor, Problem>> {
  const claims = await readAccessToken(context.secrets.tokenKeys, token, now);
  if (claims === null) return err(unauthorized);
  const session = await context.store.findSession(claims.businessId, claims.sessionId);
  if (session === null || session.userId !== claims.userId || !isLive(session, now)) return err(unauthorized);
  const user = await context.store.findUser(session.businessId, session.userId);
  if (user === null) return err(unauthorized);
  return ok({ kind: "user", businessId: user.businessId, id: user.id, role: user.role, sessionId: session.id });
}
