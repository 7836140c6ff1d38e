import { err, ok, type Result } from "neverthrow";
import { requireWritten } from "../commit/match-committed.js";
import type { Actor } from "../kernel/actor.js";
import { isRole } from "../kernel/check-actor.js";
import { type Instant, MINUTE_MS } from "../kernel/clock.js";
import { isAllowed } from "../kernel/ip-allow-list.js";
import { type Problem, unauthorized } from "../kernel/problem.js";
import { touchKeyCommit } from "./access-commits.js";
import type { AccessContext } from "./access-context.js";
import type { ApiKey } from "./api-key.js";
import { rateWithin } from "./business.js";
import { hashKey, isWellFormedKey } from "./keys/key-format.js";
import { readAccessToken } from "./login/access-token.js";
import { isLive } from "./login/session.js";
import { activeFactorOf } from "./user.js";

export type UserActor = Extract<Actor, { kind: "user" }>;
export type KeyActor = Extract<Actor, { kind: "key" }>;
/** A user who has logged in to this service. */
export type LoggedInUser = UserActor & {
  readonly lacksSecondFactor: boolean; // the business decides what that means
};
/** Who may call the public interface. */
export type PublicCaller = KeyActor | UserActor;

/**
 * Finds the key that a request presents. Each request looks the key up, and the store returns the latest acknowledged
 * state, so a revocation takes effect at once.
 * Errors: unauthorized, identical for a malformed, unknown, suspended, revoked or expired key; forbidden for a client
 * address outside the key's allow-list. Returns the key with the rate that the present tier of its business allows.
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
  return ok({ ...key, rateLimitPerHour: rateWithin(key.tier, key.rateLimitPerHour) });
}

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
 * Stores the minute of the last use. The request neither waits for this write nor fails with it. At most one write per
 * key and minute is in flight, so a slow store does not collect them.
 */
function recordUse({ commit, usesUnderWay, onError }: AccessContext, key: ApiKey, now: Instant): void {
  const minute = now - (now % MINUTE_MS);
  if (key.lastUsedAt !== null && key.lastUsedAt >= minute) return;
  const use = `${key.businessId}/${key.id}/${minute}`;
  if (usesUnderWay.has(use)) return;
  usesUnderWay.add(use);
  commit(touchKeyCommit(key.businessId, key.id, minute))
    .then(requireWritten)
    .catch(onError)
    .finally(() => usesUnderWay.delete(use));
}

/**
 * Finds the user of an access token. Each request looks up the session and the user: a logout takes effect at once, and
 * the role is the stored one. Errors: unauthorized, for every reason; forbidden for a stored role that is not known.
 */
export async function authenticateUser(
  context: AccessContext,
  token: string,
  now: Instant,
): Promise<Result<LoggedInUser, Problem>> {
  const claims = await readAccessToken(context.secrets.tokenKeys, token, now);
  if (claims === null) return err(unauthorized);
  const session = await context.store.findSession(claims.businessId, claims.sessionId);
  if (session === null || session.userId !== claims.userId || !isLive(session, now)) return err(unauthorized);
  const user = await context.store.findUser(session.businessId, session.userId);
  if (user === null || user.disabledAt !== null) return err(unauthorized);
  // During an upgrade, newer processes may store roles that this one cannot weigh.
  if (!isRole(user.role)) return err({ kind: "forbidden", message: "This version of the service has no such role." });
  const { businessId, id, role } = user;
  const lacksSecondFactor = activeFactorOf(user) === null;
  return ok({ kind: "user", businessId, id, role, sessionId: session.id, lacksSecondFactor });
}
