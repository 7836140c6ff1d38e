import { err, ok, type Result } from "neverthrow";
import {
  authenticateKey,
  authenticateUser,
  type KeyActor,
  keyActor,
  type LoggedInUser,
  type UserActor,
} from "../../access/authenticate.js";
import type { Business } from "../../access/business.js";
import { looksLikeKey } from "../../access/keys/key-format.js";
import { userRatePerHour } from "../../access/own-business.js";
import { type Actor, refuseUnlessAdministrator, refuseWithoutScope } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { type Problem, TOO_MANY_REQUESTS, unauthorized } from "../../kernel/problem.js";
import { admitKeyRequest, admitUserRequest, type RateDecision } from "../../limits/rate-limiter.js";
import { clientAddressOf } from "../headers/client-address.js";
import { crossSiteReason } from "../headers/cross-site.js";
import type { HttpContext } from "../http-context.js";
import { refuseLinkRequest } from "../link-limit.js";
import type { ApiRequest } from "../message.js";
import type { Route, RouteAuth } from "../route.js";
import type { Exchange } from "./exchange.js";
import { readResolvedUser } from "./resolved-user.js";

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

type Access = Pick<Route, "auth" | "role" | "uncounted" | "beforeSecondFactor">;

/**
 * Authenticates the caller, counts the request against the rate limit of the key or user, and checks scope and role.
 * Errors: unauthorized, forbidden (address, another site, scope or role), second-factor-required, rate-limited. A request of an authenticated
 * caller counts even without the scope. A request from an address outside the allow-list or from another site does not
 * count: otherwise a thief of the key, or that site, could use up the limit.
 * Source: contract, Authentication and Limits.
 */
export async function authorizeRequest(exchange: Exchange, access: Access): Promise<Result<Actor | null, Problem>> {
  const caller = await identify(exchange, access.auth);
  if (caller.isErr()) return err(caller.error);
  const refusal = access.uncounted ? null : await countRequest(exchange);
  return refusal === null ? authorize(exchange, caller.value, access) : err(refusal);
}

/** Repeats the checks at `exchange.now`, after a slow body. The request is not counted again. */
export async function reauthorize(exchange: Exchange, access: Access): Promise<Result<Actor | null, Problem>> {
  const caller = await identify(exchange, access.auth);
  return caller.isErr() ? err(caller.error) : authorize(exchange, caller.value, access);
}

/** Counts a request of any key or user to a public path without a route. Returns the refusal; null = admitted or unknown. */
export async function countUnrouted(exchange: Exchange): Promise<Problem | null> {
  const caller = await identifyPublic(exchange);
  return caller.isErr() ? null : countRequest(exchange);
}

/**
 * Charges a request to a public link, unless its route decides itself. Answers have limits of their own. Returns the
 * refusal; null = admitted, or no link.
 */
export async function countLinkRequest(
  { context, request, now }: Exchange,
  { surface, method, uncounted }: Pick<Route, "surface" | "method" | "uncounted">,
  token: string | undefined,
): Promise<Problem | null> {
  if (surface !== "link" || uncounted || token === undefined) return null;
  const clientAddress = clientAddressOf(request, context.trustedProxies);
  return refuseLinkRequest(context, { kind: method === "POST" ? "answer" : "read", token, clientAddress, now });
}

/** Charges the request to the caller's windows; the response headers report the decision. */
async function countRequest(exchange: Exchange): Promise<Problem | null> {
  const { key, user, now, context } = exchange;
  const { limits } = context.access;
  let decision: RateDecision;
  if (key !== null) {
    decision = await admitKeyRequest(limits, key, now);
  } else if (user !== null) {
    const { perHour, perMinute } = context.userRateLimit;
    const rateLimitPerHour = perHour ?? userRatePerHour(await businessOf(exchange, user));
    const { businessId, id } = user;
    decision = await admitUserRequest(limits, { businessId, id, rateLimitPerHour, burst: perMinute }, now);
  } else {
    return null;
  }
  exchange.rate = decision;
  const { limit, refusal } = decision;
  if (refusal === null) return null;
  const message = refusal.limit === limit ? TOO_MANY_REQUESTS : tooManyInMinute(refusal.limit);
  return { kind: "rate-limited", message, limit, remaining: 0, resetAtMs: refusal.resetAt };
}

function tooManyInMinute(limit: number): string {
  return `Too many requests: at most ${limit} a minute. Try again later.`;
}

async function identify(exchange: Exchange, auth: RouteAuth): Promise<Result<Actor | null, Problem>> {
  switch (auth.kind) {
    case "none":
      return ok(null);
    case "user":
      return identifyUser(exchange);
    case "key":
      return auth.keysAlone ? identifyKey(exchange, presentedBy(exchange)) : identifyPublic(exchange);
  }
}

/** A request that presents a key is the key's alone: a refused one does not fall back to a cookie. */
function identifyPublic(exchange: Exchange): Promise<Result<Actor, Problem>> {
  const presented = presentedBy(exchange);
  return presented !== null && looksLikeKey(presented) ? identifyKey(exchange, presented) : identifyUser(exchange);
}

function presentedBy({ request }: Exchange): string | null {
  return bearerToken(request.header("authorization"));
}

/** Of this decision: a later one reads it again. */
function businessOf(exchange: Exchange, { businessId }: UserActor): Promise<Business | null> {
  exchange.business ??= exchange.context.access.store.findBusiness(businessId);
  return exchange.business;
}

async function authorize(
  exchange: Exchange,
  actor: Actor | null,
  { auth, role, beforeSecondFactor }: Access,
): Promise<Result<Actor | null, Problem>> {
  if (beforeSecondFactor !== true && (await mustEnrol(exchange))) return err(secondFactorRequired);
  const unscoped = auth.kind === "key" && actor !== null ? refuseWithoutScope(actor, auth.scope) : null;
  if (unscoped !== null) return err(unscoped);
  const problem = role === "administrator" && actor !== null ? refuseUnlessAdministrator(actor) : null;
  return problem === null ? ok(actor) : err(problem);
}

/** Whether the user lacks the second factor that the business demands. Users who have one cost no look-up. */
async function mustEnrol(exchange: Exchange): Promise<boolean> {
  const { user, lacksSecondFactor } = exchange;
  if (user === null || !lacksSecondFactor) return false;
  return (await businessOf(exchange, user))?.profile.requireSecondFactor === true;
}

const secondFactorRequired: Problem = {
  kind: "second-factor-required",
  message:
    "The business demands a second factor. Enrol one with POST /auth/totp and POST /auth/totp/confirm; until then you can only read your account and log out.",
};

async function identifyKey(exchange: Exchange, presented: string | null): Promise<Result<KeyActor, Problem>> {
  if (presented === null) return err(unauthorized);
  const { context, request, now } = exchange;
  const address = clientAddressOf(request, context.trustedProxies);
  const key = await authenticateKey(context.access, presented, address, now);
  if (key.isErr()) return err(key.error);
  exchange.key = key.value;
  const actor = keyActor(key.value);
  return ok(address === null ? actor : { ...actor, address });
}

async function identifyUser(exchange: Exchange): Promise<Result<UserActor, Problem>> {
  const found = await findUser(exchange);
  if (found.isErr()) return err(found.error);
  const { lacksSecondFactor, ...actor } = found.value;
  const { memberScopes } = exchange.context;
  const user = actor.role === "MEMBER" ? { ...actor, scopes: memberScopes } : actor;
  exchange.user = user;
  exchange.lacksSecondFactor = lacksSecondFactor;
  exchange.business = null;
  return ok(user);
}

/** The parts that decide who a user is. */
interface UserLookup {
  readonly context: Pick<HttpContext, "access" | "resolveUser" | "trustedOrigins"> & {
    readonly budgets: Pick<HttpContext["budgets"], "publicBaseUrl">;
  };
  readonly request: ApiRequest;
  readonly now: Instant;
}

/**
 * The user of an access token, or of the host's session, whose second factor is the host's matter. Rejects when
 * `resolveUser` does.
 */
export async function findUser({ context, request, now }: UserLookup): Promise<Result<LoggedInUser, Problem>> {
  if (context.resolveUser === null) {
    const token = bearerToken(request.header("authorization"));
    return token === null ? err(unauthorized) : authenticateUser(context.access, token, now);
  }
  const user = readResolvedUser(await context.resolveUser(request));
  if (user === null) return err(unauthorized);
  const { trustedOrigins } = context;
  const reason = crossSiteReason(request, { publicBaseUrl: context.budgets.publicBaseUrl, trustedOrigins });
  if (reason !== null) {
    const message = `This request comes from another site: ${reason}. The operator can allow an origin by \`trustedOrigins\`.`;
    return err({ kind: "forbidden", message });
  }
  const { businessId, userId, role } = user;
  return ok({ kind: "user", businessId, id: userId, role, sessionId: null, lacksSecondFactor: false });
}

function bearerToken(authorization: string | null): string | null {
  return authorization === null ? null : (BEARER.exec(authorization)?.[1] ?? null);
}
