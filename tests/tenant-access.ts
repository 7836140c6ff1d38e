import type { Role, Scope } from "@budgetkit/core";
import type { Route } from "../packages/core/src/http/route.js";

/** Somebody of a business who calls: with a key, with a login, or with nothing. */
export interface Caller {
  readonly name: string;
  readonly credential: string | null; // null = none
  readonly scopes: readonly Scope[]; // of a key
  readonly role: Role | null; // of a user; null = a key, or nobody
}

/** What a credential lets in, by the contract's table of scopes and the rule that members of a business only look. */
export function covers({ credential, scopes, role }: Caller, route: Route): boolean {
  if (route.auth.kind === "none") return credential === null;
  if (route.auth.kind === "key") return scopes.includes(scopeOf(route));
  return role !== null && (role !== "MEMBER" || isForMembers(route));
}

const SCOPES_BY_PATH: readonly (readonly [path: RegExp, read: Scope, write: Scope])[] = [
  [/^\/api\/public\/webhooks\/test$/, "WEBHOOKS", "WEBHOOKS"],
  [/^\/api\/public\/customers(\/|$)/, "READ_CUSTOMERS", "WRITE_CUSTOMERS"],
  [/^\/api\/public\/(products|packages)(\/|$)/, "READ_PRODUCTS", "WRITE_PRODUCTS"],
  [/^(\/api\/public\/budgets(\/|$)|\/api\/budgets\/public$)/, "READ_BUDGETS", "WRITE_BUDGETS"],
];

/** The scope that a public path needs, not by what the route says but by the contract's table. */
function scopeOf({ method, paths: [path], operationId }: Route): Scope {
  const row = SCOPES_BY_PATH.find(([pattern]) => pattern.test(path));
  if (row === undefined) throw new Error(`no scope is known for ${operationId} at ${path}`);
  return method === "GET" ? row[1] : row[2];
}

/** What every user of a business may do: look at what is no secret, and log out. */
function isForMembers({ method, secret, operationId }: Route): boolean {
  return operationId === "logout" || (method === "GET" && !secret);
}
