import type { Problem } from "./problem.js";
import type { TraceContext } from "./trace-context.js";

/** Permissions on the public interface: of an API key, and of a MEMBER. Source: contract, Authentication, Scopes. */
export const SCOPES = [
  "READ_BUDGETS",
  "WRITE_BUDGETS",
  "READ_CUSTOMERS",
  "WRITE_CUSTOMERS",
  "READ_PRODUCTS",
  "WRITE_PRODUCTS",
  "WEBHOOKS",
] as const;
export type Scope = (typeof SCOPES)[number];

/** Roles of a user. ADMIN and OWNER may do everything, a MEMBER what the operator allows. */
export const ROLES = ["OWNER", "ADMIN", "MEMBER"] as const;
export type Role = (typeof ROLES)[number];

/** Who acts, and for which business. An actor comes from a stored credential, never from a request body. */
export type Actor = Caller & {
  readonly origin?: Origin; // absent = unknown
  readonly address?: string; // of the client, for the audit; absent = unknown
};

/** The request that caused an operation. Diagnostic data: events and callbacks carry it, and no rule reads it. */
export interface Origin {
  /** Null = not an HTTP request. */
  readonly requestId: string | null;
  /** Null = not part of a trace. */
  readonly trace: TraceContext | null;
}

type Caller =
  | { readonly kind: "key"; readonly businessId: string; readonly id: string; readonly scopes: readonly Scope[] }
  | {
      readonly kind: "user";
      readonly businessId: string;
      readonly id: string;
      readonly role: Role;
      readonly sessionId: string | null; // null = the host resolved the user itself
      readonly scopes?: readonly Scope[]; // of a MEMBER; absent = none. ADMIN and OWNER have all
    }
  | { readonly kind: "customer"; readonly businessId: string; readonly name: string }
  | { readonly kind: "system"; readonly businessId: string };

/** The `origin` member for an event; empty when the actor has none. */
export function actorOrigin({ origin }: Actor): { readonly origin?: Origin } {
  return origin === undefined ? {} : { origin };
}

/**
 * The actor as budgets and events record it: `user:7`, `key:12`, `customer:Ana`, `system`. The host chooses the ids of its
 * users: characters that a store cannot keep are written as their codes, so that two users never share a label.
 */
export function actorLabel(actor: Actor): string {
  switch (actor.kind) {
    case "system":
      return "system";
    case "customer":
      return (CUSTOMER + actor.name).replace(UNSTORABLE, REPLACEMENT);
    case "key":
    case "user":
      return `${actor.kind}:${actor.id}`.replace(CODED, (each) => REPLACEMENT + each.charCodeAt(0).toString(16));
  }
}

const UNSTORABLE = /[\0\p{Surrogate}]/gu; // the latter: halves of surrogate pairs
const REPLACEMENT = "\ufffd";
const CODED = /[\0\p{Surrogate}\ufffd]/gu;

const CUSTOMER = "customer:";

/** The name in the label of a customer; null = the label of another actor. */
export function customerNameIn(label: string): string | null {
  return label.startsWith(CUSTOMER) ? label.slice(CUSTOMER.length) : null;
}

/** Whether the actor may do what needs this scope. A customer acts on the public link alone. */
export function hasScope(actor: Actor, scope: Scope): boolean {
  switch (actor.kind) {
    case "key":
      return actor.scopes.includes(scope);
    case "user":
      return isAdministrator(actor.role) || (actor.role === "MEMBER" && actor.scopes?.includes(scope) === true);
    case "customer":
      return false;
    case "system":
      return true;
  }
}

/** Null = the actor may do what needs this scope. */
export function refuseWithoutScope(actor: Actor, scope: Scope): Problem | null {
  if (hasScope(actor, scope)) return null;
  const message =
    actor.kind === "key"
      ? `This needs a key with the scope ${scope}.`
      : `This needs the scope ${scope}, which users with the role MEMBER do not have.`;
  return { kind: "forbidden", message };
}

/**
 * Rights follow from what a role is, never from what it is not: a role that this version does not know has none, even if
 * the database holds it.
 */
function isAdministrator(role: Role): boolean {
  return role === "OWNER" || role === "ADMIN";
}

/** Users of the business, and the host itself, may read keys and webhooks. Null = allowed. */
export function refuseUnlessReader(actor: Actor): Problem | null {
  const isReader = actor.kind === "user" ? ROLES.includes(actor.role) : actor.kind === "system";
  if (isReader) return null;
  return { kind: "forbidden", message: "This is managed with a login, not with an API key or a public link." };
}

/** OWNER and ADMIN, and the host itself, may change keys and webhooks. Null = allowed. */
export function refuseUnlessAdministrator(actor: Actor): Problem | null {
  if (actor.kind === "user" && !isAdministrator(actor.role)) {
    return { kind: "forbidden", message: "This takes the role ADMIN or OWNER." };
  }
  return refuseUnlessReader(actor);
}
