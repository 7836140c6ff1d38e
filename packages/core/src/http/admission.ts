import { err, ok, type Result } from "neverthrow";
import { authenticateKey, authenticateUser, keyActor } from "../access/authenticate.js";
import type { Actor } from "../kernel/actor.js";
import type { Problem } from "../kernel/problem.js";
import { admitKeyRequest } from "../limits/rate-limiter.js";
import { clientAddressOf } from "./client-address.js";
import type { Exchange } from "./exchange.js";
import type { RouteAuth } from "./route.js";

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/**
 * Lets a request in: who calls, may they call so often, may they call this.
 * Errors: unauthorized, forbidden (address or scope), rate-limited. Every request of an authenticated key is counted,
 * those without the scope too. Source: contract, Authentication and Limits.
 */
export async function admit(exchange: Exchange, auth: RouteAuth): Promise<Result<Actor | null, Problem>> {
  switch (auth.kind) {
    case "none":
      return ok(null);
    case "user":
      return identifyUser(exchange);
    case "key": {
      const actor = await admitKey(exchange);
      if (actor.isErr() || actor.value.scopes.includes(auth.scope)) return actor;
      return err({ kind: "forbidden", message: `This needs a key with the scope ${auth.scope}.` });
    }
  }
}

/** Authenticates an API key and counts the request; the verdict is kept for the headers of the answer. */
export async function admitKey(exchange: Exchange): Promise<Result<Extract<Actor, { kind: "key" }>, Problem>> {
  const { context, request, now } = exchange;
  const presented = bearerToken(request.header("authorization"));
  if (presented === null) return err({ kind: "unauthorized" });
  const address = clientAddressOf(request, context.trustedProxies);
  const key = await authenticateKey(context.access, presented, address, now);
  if (key.isErr()) return err(key.error);
  const verdict = await admitKeyRequest(context.access.limits, key.value, now);
  exchange.rate = verdict;
  if (verdict.refusal !== null) {
    const { limit, remaining, resetAt } = verdict.refusal;
    return err({ kind: "rate-limited", limit, remaining, resetAtMs: resetAt });
  }
  return ok(keyActor(key.value));
}

async function identifyUser({ context, request, now }: Exchange): Promise<Result<Actor, Problem>> {
  if (context.resolveUser === undefined) {
    const token = bearerToken(request.header("authorization"));
    return token === null ? err({ kind: "unauthorized" }) : authenticateUser(context.access, token, now);
  }
  const user = await context.resolveUser(request);
  if (user === null) return err({ kind: "unauthorized" });
  const { businessId, userId, role } = user;
  return ok({ kind: "user", businessId, id: userId, role, sessionId: null });
}

function bearerToken(authorization: string | null): string | null {
  return authorization === null ? null : (BEARER.exec(authorization)?.[1] ?? null);
}
