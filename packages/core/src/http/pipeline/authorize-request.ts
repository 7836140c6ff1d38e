import { err, ok, type Result } from "neverthrow";
import type { ApiKey } from "../../access/api-key.js";
import {
  authenticateKey,
  authenticateUser,
  type KeyActor,
  keyActor,
  type UserActor,
} from "../../access/authenticate.js";
import { type Actor, checkBusinessId, refuseUnlessAdministrator } from "../../kernel/actor.js";
import { type Problem, TOO_MANY_REQUESTS, unauthorized } from "../../kernel/problem.js";
import { admitKeyRequest } from "../../limits/rate-limiter.js";
import { clientAddressOf } from "../headers/client-address.js";
import type { Route, RouteAuth } from "../route.js";
import type { Exchange } from "./exchange.js";

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

type Access = Pick<Route, "auth" | "role">;

/**
 * Authenticates the caller, counts the request against the key's rate limit and checks scope and role.
 * Errors: unauthorized, forbidden (address, scope or role), rate-limited. A request of an authenticated key counts even
 * without the scope. A request from an address outside the allow-list does not count: otherwise a thief of the key could
 * use up its limit. Source: contract, Authentication and Limits.
 */
export async function authorizeRequest(exchange: Exchange, access: Access): Promise<Result<Actor | null, Problem>> {
  const caller =
    access.auth.kind === "key" ? await authenticateAndCount(exchange) : await identify(exchange, access.auth);
  return caller.andThen((actor) => authorize(actor, access));
}

/** Repeats the checks at `exchange.now`, after a slow body. The request is not counted again. */
export async function reauthorize(exchange: Exchange, access: Access): Promise<Result<Actor | null, Problem>> {
  return (await identify(exchange, access.auth)).andThen((actor) => authorize(actor, access));
}

/** Authenticates an API key and counts the request; the response headers report the decision. */
export async function authenticateAndCount(exchange: Exchange): Promise<Result<KeyActor, Problem>> {
  const { context, now } = exchange;
  const key = await identifyKey(exchange);
  if (key.isErr()) return err(key.error);
  exchange.key = key.value;
  const decision = await admitKeyRequest(context.access.limits, key.value, now);
  exchange.rate = decision;
  if (decision.refusal !== null) {
    const { limit, remaining, resetAt } = decision.refusal;
    return err({ kind: "rate-limited", message: TOO_MANY_REQUESTS, limit, remaining, resetAtMs: resetAt });
  }
  return ok(keyActor(key.value));
}

async function identify(exchange: Exchange, auth: RouteAuth): Promise<Result<Actor | null, Problem>> {
  switch (auth.kind) {
    case "none":
      return ok(null);
    case "user":
      return identifyUser(exchange);
    case "key":
      return (await identifyKey(exchange)).map(keyActor);
  }
}

function authorize(actor: Actor | null, { auth, role }: Access): Result<Actor | null, Problem> {
  if (auth.kind === "key" && actor?.kind === "key" && !actor.scopes.includes(auth.scope)) {
    return err({ kind: "forbidden", message: `This needs a key with the scope ${auth.scope}.` });
  }
  const problem = role === "administrator" && actor !== null ? refuseUnlessAdministrator(actor) : null;
  return problem === null ? ok(actor) : err(problem);
}

async function identifyKey({ context, request, now }: Exchange): Promise<Result<ApiKey, Problem>> {
  const presented = bearerToken(request.header("authorization"));
  if (presented === null) return err(unauthorized);
  return await authenticateKey(context.access, presented, clientAddressOf(request, context.trustedProxies), now);
}

async function identifyUser(exchange: Exchange): Promise<Result<Actor, Problem>> {
  const user = await findUser(exchange);
  if (user.isOk()) exchange.user = user.value;
  return user;
}

async function findUser({ context, request, now }: Exchange): Promise<Result<UserActor, Problem>> {
  if (context.resolveUser === null) {
    const token = bearerToken(request.header("authorization"));
    return token === null ? err(unauthorized) : authenticateUser(context.access, token, now);
  }
  const user = await context.resolveUser(request);
  if (user === null) return err(unauthorized);
  checkBusinessId(user);
  const { businessId, userId, role } = user;
  return ok({ kind: "user", businessId, id: userId, role, sessionId: null });
}

function bearerToken(authorization: string | null): string | null {
  return authorization === null ? null : (BEARER.exec(authorization)?.[1] ?? null);
}
