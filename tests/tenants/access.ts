import { type Role, SCOPES, type Scope } from "@budgetkit/core";
import type { Route } from "../../packages/core/src/http/route.js";

/** A caller of a business: with a key, with a login, or without a credential. */
export interface Caller {
  readonly name: string;
  readonly credential: string | null; // null = none
  readonly scopes: readonly Scope[]; // of a key, and of a user on public paths
  readonly role: Role | null; // of a user; null = a key, or no credential
}

/** What the roles may do on public paths when the operator sets nothing else. */
export const SCOPES_BY_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  OWNER: SCOPES,
  ADMIN: SCOPES,
  MEMBER: ["READ_BUDGETS", "WRITE_BUDGETS", "READ_CUSTOMERS", "WRITE_CUSTOMERS", "READ_PRODUCTS"],
};

/** Whether the route answers 403, and not 401, to a credential that does not cover it. */
export function isKnownTo({ credential, role }: Caller, { auth }: Route): boolean {
  const takesUsers = auth.kind === "user" || (auth.kind === "key" && !auth.keysAlone);
  return credential !== null && (role === null ? auth.kind === "key" : takesUsers);
}

/**
 * Whether a credential covers a route, by the contract's table of scopes and the rule that MEMBER users only read where
 * no scope is needed. The test of a key's webhookUrl needs that key.
 */
export function covers({ credential, scopes, role }: Caller, route: Route): boolean {
  if (route.auth.kind === "none") return credential === null;
  if (route.operationId === "testWebhookUrl" && role !== null) return false;
  if (route.auth.kind === "key") return scopes.includes(scopeOf(route));
  return role !== null && (role !== "MEMBER" || isForMembers(route));
}

const SCOPES_BY_PATH: readonly (readonly [path: RegExp, read: Scope, write: Scope])[] = [
  [/^\/api\/public\/webhooks\/test$/, "WEBHOOKS", "WEBHOOKS"],
  [/^\/api\/public\/customers(\/|$)/, "READ_CUSTOMERS", "WRITE_CUSTOMERS"],
  [/^\/api\/public\/(products|packages)(\/|$)/, "READ_PRODUCTS", "WRITE_PRODUCTS"],
  [/^\/api\/public\/budgets\/.*\/public-link$/, "WRITE_BUDGETS", "WRITE_BUDGETS"], // the link accepts and declines
  [/^(\/api\/public\/budgets(\/|$)|\/api\/budgets\/public$)/, "READ_BUDGETS", "WRITE_BUDGETS"],
];

/** The scope that a public path needs, by the contract's table and not by the route itself. */
function scopeOf({ method, paths: [path], operationId }: Route): Scope {
  const row = SCOPES_BY_PATH.find(([pattern]) => pattern.test(path));
  if (row === undefined) throw new Error(`the table has no scope for ${operationId} at ${path}`);
  return method === "GET" ? row[1] : row[2];
}

/** What every user of a business may do: read what is neither secret nor about other users, and act on the own account. */
function isForMembers({ method, secret, paths: [path] }: Route): boolean {
  const isOpen = !secret && !path.startsWith("/api/developer/users");
  return path.startsWith("/auth/") || (method === "GET" && isOpen);
}
