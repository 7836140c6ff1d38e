import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { brokenRule, notFound, type Problem, TOO_MANY_REQUESTS, unauthorized } from "../../kernel/problem.js";
import { admitOneTimeToken } from "../../limits/login-throttle.js";
import type { AccessContext } from "../access-context.js";
import { isLoginToken, type MintedToken, mintOneTimeToken, readOneTimeToken } from "../account/one-time-token.js";
import { changeUser } from "../change-user.js";
import { type LoginView, openSession } from "./session.js";

export const enterSchema = z.object({ token: z.string().min(1).max(255) });

/** A token that logs in once. It is a credential: it must appear in no log. */
export interface LoginToken {
  /** For `sessions.enter`, once. */
  readonly token: string;
  /** Until when the token works. */
  readonly expiresAt: Date;
}

/**
 * Makes a token that logs the user in once, within 10 minutes, without a password or a code. It replaces the user's
 * one-time token before. For the operator alone: an administrator must not become another user.
 * Errors: forbidden, not-found, USER_DISABLED, conflict.
 */
export async function issueLoginToken(
  context: AccessContext,
  actor: Actor,
  userId: string,
): Promise<Result<LoginToken, Problem>> {
  if (actor.kind !== "system") return err(operatorAlone);
  const now = context.clock.now();
  let minted: MintedToken<"login"> | null = null;
  const changed = await changeUser(context, actor, userId, now, (user) => {
    if (user.disabledAt !== null) return err(disabled);
    minted = mintOneTimeToken(context.random, user, "login", now);
    return ok({ user: { ...user, oneTimeToken: minted.stored }, act: "user.login_link_issued" });
  });
  return changed.andThen(() => (minted === null ? err(notFound("user", userId)) : ok(loginToken(minted))));
}

function loginToken({ token, stored }: MintedToken<"login">): LoginToken {
  return { token, expiresAt: new Date(stored.expiresAt) };
}

/**
 * Opens a session by a token of {@link issueLoginToken}. Of concurrent callers exactly one gets it.
 * Errors: unauthorized for an unknown, used, replaced or expired token; rate-limited after many tokens from an address.
 */
export async function enter(
  context: AccessContext,
  { token }: z.output<typeof enterSchema>,
  clientAddress: string | null,
  now: Instant,
): Promise<Result<LoginView, Problem>> {
  const named = readOneTimeToken(token);
  if (named === null) return err(unauthorized);
  const refusal = await admitOneTimeToken(context.limits, { clientAddress, now });
  if (refusal !== null) {
    const { limit, resetAt: resetAtMs } = refusal;
    return err({ kind: "rate-limited", message: TOO_MANY_REQUESTS, limit, remaining: 0, resetAtMs });
  }
  const actor: Actor = { kind: "system", businessId: named.businessId };
  const used = await changeUser(context, actor, named.id, now, (user) =>
    isLoginToken(user, token, now) ? ok({ user: { ...user, oneTimeToken: null }, act: null }) : err(unauthorized),
  );
  if (used.isErr()) return err(used.error.kind === "not-found" ? unauthorized : used.error);
  const view = await openSession(context, used.value, { clientAddress, now });
  return view === null ? err(unauthorized) : ok(view);
}

const operatorAlone: Problem = { kind: "forbidden", message: "Only the operator makes links that log a user in." };

const disabled: Problem = brokenRule("USER_DISABLED", "The user is disabled; enable the user first.");
