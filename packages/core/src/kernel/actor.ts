import { parseId } from "./ids.js";
import type { Origin } from "./origin.js";

/** What an API key may do. Source: contract, Authentication, Scopes. */
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

/** What a user of a business may do: MEMBER reads, ADMIN and OWNER also change. */
export const ROLES = ["OWNER", "ADMIN", "MEMBER"] as const;
export type Role = (typeof ROLES)[number];

/** Who acts, and for which business. It comes from a stored credential, never from a request's body. */
export type Actor = Caller & {
  /** What the act can be traced back to; its events and their webhooks carry it on. Absent = nothing that was told. */
  readonly origin?: Origin;
};

type Caller =
  | { readonly kind: "key"; readonly businessId: string; readonly id: string; readonly scopes: readonly Scope[] }
  | {
      readonly kind: "user";
      readonly businessId: string;
      readonly id: string;
      readonly role: Role;
      readonly sessionId: string | null; // null = the host resolved the user itself
    }
  | { readonly kind: "customer"; readonly businessId: string; readonly name: string }
  | { readonly kind: "system"; readonly businessId: string };

/**
 * Throws a RangeError for a `businessId` that no business can have: a fault of the host, which no store may take for a
 * business without records. Whether the business exists is not asked.
 */
export function checkBusinessId({ businessId }: Pick<Actor, "businessId">): void {
  if (typeof businessId === "string" && parseId(businessId) !== null) return;
  const given = typeof businessId === "number" ? `the number ${businessId}` : JSON.stringify(businessId);
  throw new RangeError(`businessId must be the id of a business, not ${given}`);
}

/** What of an actor is written into an event, to be spread into it. */
export function originOf({ origin }: Actor): { readonly origin?: Origin } {
  return origin === undefined ? {} : { origin };
}

/** The actor as budgets and events record it: `user:7`, `key:12`, `customer:Ana`, `system`. */
export function actorLabel(actor: Actor): string {
  switch (actor.kind) {
    case "system":
      return "system";
    case "customer":
      return `customer:${actor.name}`;
    default:
      return `${actor.kind}:${actor.id}`;
  }
}
