import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { matchCommitted } from "../../commit/match-committed.js";
import { makeAuditEntry } from "../../events/audit-entry.js";
import type { Actor } from "../../kernel/actor.js";
import { DAY_MS, type Instant, MINUTE_MS } from "../../kernel/clock.js";
import { type Problem, unauthorized } from "../../kernel/problem.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import { endSessionCommit, openSessionCommit, refreshSessionCommit } from "../access-commits.js";
import type { AccessContext } from "../access-context.js";
import { accountEntryOf, loginEntryOf } from "../audit-login.js";
import type { Session, User } from "../user.js";
import { userViewOf, userViewSchema } from "../user-view.js";
import { ACCESS_TOKEN_SECONDS, signAccessToken } from "./access-token.js";
import { mintRefreshToken, type RefreshClaim, readRefreshToken, succeedingRefreshToken } from "./refresh-token.js";

/** Retention of a session after its end. Its last access token has expired by then. */
export const ENDED_SESSION_KEPT_MS = DAY_MS;

/** Lifetime of a session without a refresh. */
const REFRESH_LIFETIME_MS = 30 * DAY_MS;

/** The response to a login and to a refresh. Source: contract, Login. */
export const loginViewSchema = z
  .object({
    /** Send it as `Authorization: Bearer`. */
    access_token: z.string(),
    /** Always Bearer. */
    token_type: z.literal("Bearer"),
    /** Seconds. */
    expires_in: z.int().describe("Seconds."),
    /** For one refresh. */
    refresh_token: z.string(),
    /** Who has logged in. */
    user: userViewSchema,
  })
  .meta({ id: "LoginAnswer" });
export type LoginView = z.infer<typeof loginViewSchema>;

export const refreshSchema = z.object({ refresh_token: z.string().min(1).max(1_024) }); // an access token fits, and gets 401
export type RefreshInput = z.output<typeof refreshSchema>;

/** True until the session is ended or its refresh token expires. */
export function isLive(session: Session, now: Instant): boolean {
  return session.endedAt === null && now < session.refreshExpiresAt;
}

/**
 * Opens a session for a user whose password was checked against `user.passwordHash`, together with its audit entry.
 * @returns null when another password hash is stored now.
 */
export async function openSession(
  context: AccessContext,
  user: User,
  { clientAddress, now }: { readonly clientAddress: string | null; readonly now: Instant },
): Promise<LoginView | null> {
  const sessionId = await context.ids.next(user.businessId);
  const refreshToken = mintRefreshToken(
    context.secrets.tokenKeys[0],
    { businessId: user.businessId, sessionId },
    context.random,
  );
  const session: Session = {
    businessId: user.businessId,
    id: sessionId,
    userId: user.id,
    refreshHash: sha256Hex(refreshToken),
    refreshExpiresAt: now + REFRESH_LIFETIME_MS,
    createdAt: now,
    endedAt: null,
  };
  const audit = await accountEntryOf(context.ids, "user.logged_in", user, { clientAddress, now });
  const committed = await context.commit(openSessionCommit(session, user.passwordHash, audit));
  const isOpen = matchCommitted(committed, { written: true, stale: false });
  return isOpen ? viewOf(context, user, sessionId, refreshToken, now) : null;
}

/** How a refresh treats a token that another request has just used. */
export interface RefreshRace {
  /**
   * How long the token of a lost race still gets the tokens of the winner. 0 = a used token ends its session at once. For
   * servers that keep the token in a cookie, where the requests of several tabs present the same one.
   */
  readonly graceMs: number;
}

const NO_GRACE: RefreshRace = { graceMs: 0 };

/** The longest grace: a token that was stolen must not work for longer beside its owner. */
const MAX_GRACE_MS = MINUTE_MS;

/**
 * Exchanges a refresh token for a new pair of tokens. Each refresh token works once. A second use means that the token
 * leaked, so the session ends, together with an audit entry (RFC 9700, 4.14). Within the grace of `race`, a second use
 * gets the successor that the first one got, so both hold one token, and a later use of the old one ends the session
 * still. Errors: unauthorized, for every reason.
 */
export async function refreshSession(
  context: AccessContext,
  input: RefreshInput,
  clientAddress: string | null,
  now: Instant,
  race: RefreshRace = NO_GRACE,
): Promise<Result<LoginView, Problem>> {
  const { store, secrets, random } = context;
  const claim = readRefreshToken(secrets.tokenKeys, input.refresh_token);
  if (claim === null) return err(unauthorized);
  const session = await store.findSession(claim.businessId, claim.sessionId);
  const user = session === null ? null : await store.findUser(session.businessId, session.userId);
  if (session === null || user === null) return err(unauthorized);
  const [key] = secrets.tokenKeys;
  const refreshToken =
    race.graceMs > 0 ? succeedingRefreshToken(key, claim, input.refresh_token) : mintRefreshToken(key, claim, random);
  const rotation = {
    ...claim,
    expectedHash: sha256Hex(input.refresh_token),
    newHash: sha256Hex(refreshToken),
    newExpiresAt: now + REFRESH_LIFETIME_MS,
  };
  const committed = await context.commit(refreshSessionCommit(rotation, now));
  if (matchCommitted(committed, { written: false, stale: true })) {
    const winner = await successorInGrace(context, claim, input.refresh_token, now, race);
    if (winner !== null) return ok(await viewOf(context, user, claim.sessionId, winner, now));
    const isReused = isLive(session, now);
    const audit = isReused ? await loginEntryOf(context.ids, "user.token_reused", user, { clientAddress, now }) : null;
    const end = await context.commit(endSessionCommit(claim.businessId, claim.sessionId, now, audit));
    return matchCommitted(end, { written: err(unauthorized), missing: err(unauthorized) });
  }
  return ok(await viewOf(context, user, claim.sessionId, refreshToken, now));
}

/** The session's present token, if it follows `used` and was made within the grace; null otherwise. */
async function successorInGrace(
  { store, secrets }: AccessContext,
  claim: RefreshClaim,
  used: string,
  now: Instant,
  { graceMs }: RefreshRace,
): Promise<string | null> {
  if (graceMs <= 0) return null;
  const session = await store.findSession(claim.businessId, claim.sessionId);
  if (session === null || !isLive(session, now)) return null;
  const refreshedAt = session.refreshExpiresAt - REFRESH_LIFETIME_MS;
  if (now - refreshedAt >= Math.min(graceMs, MAX_GRACE_MS)) return null;
  const successors = secrets.tokenKeys.map((key) => succeedingRefreshToken(key, claim, used));
  return successors.find((token) => sha256Hex(token) === session.refreshHash) ?? null;
}

/**
 * Ends the session of a refresh token that this service made, also of one that was used. For servers that keep the token
 * for the user, who may sign out after the access token has expired. A session that has ended stays ended.
 */
export async function endSessionOf(
  context: AccessContext,
  input: RefreshInput,
  clientAddress: string | null,
  now: Instant,
): Promise<Result<null, Problem>> {
  const claim = readRefreshToken(context.secrets.tokenKeys, input.refresh_token);
  const session = claim === null ? null : await context.store.findSession(claim.businessId, claim.sessionId);
  const user = session === null ? null : await context.store.findUser(session.businessId, session.userId);
  if (session === null || user === null) return ok(null);
  const address = clientAddress === null ? {} : { address: clientAddress };
  const { businessId, id, role } = user;
  const actor: Actor = { kind: "user", businessId, id, role, sessionId: session.id, ...address };
  const audit = await makeAuditEntry(context.ids, actor, { type: "user.logged_out", subjectId: id, now });
  const committed = await context.commit(endSessionCommit(businessId, session.id, now, audit));
  return matchCommitted(committed, { written: ok(null), missing: ok(null) });
}

/**
 * Ends the caller's session; its tokens stop working.
 * Errors: unauthorized when the session has ended already; forbidden for callers without a session of this service.
 */
export async function logout(
  context: AccessContext,
  actor: Actor,
  now: Instant,
): Promise<Result<{ message: string }, Problem>> {
  if (actor.kind !== "user" || actor.sessionId === null) {
    return err({ kind: "forbidden", message: "There is no session of this service to end." });
  }
  const act = { type: "user.logged_out", subjectId: actor.id, now } as const;
  const audit = await makeAuditEntry(context.ids, actor, act);
  const committed = await context.commit(endSessionCommit(actor.businessId, actor.sessionId, now, audit));
  return matchCommitted(committed, { written: ok({ message: "Logged out." }), missing: err(unauthorized) });
}

async function viewOf(
  context: AccessContext,
  user: User,
  sessionId: string,
  refreshToken: string,
  now: Instant,
): Promise<LoginView> {
  const claims = { businessId: user.businessId, userId: user.id, sessionId };
  return {
    access_token: await signAccessToken(context.secrets.tokenKeys[0], claims, now),
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_token: refreshToken,
    user: userViewOf(user),
  };
}
