import type { Session } from "./session.js";

/**
 * What a screen or a button is for. The server decides; the dashboard leaves out what would be refused.
 * - administer: users, keys, webhooks, integrations, the profile of the business
 * - own: what an OWNER alone may do
 */
export type Right =
  | "administer"
  | "own"
  | "READ_BUDGETS"
  | "WRITE_BUDGETS"
  | "READ_CUSTOMERS"
  | "WRITE_CUSTOMERS"
  | "READ_PRODUCTS"
  | "WRITE_PRODUCTS";

export function may({ role, scopes }: Pick<Session, "role" | "scopes">, right: Right): boolean {
  switch (role) {
    case "OWNER":
      return true;
    case "ADMIN":
      return right !== "own";
    case "MEMBER":
      return right !== "own" && right !== "administer" && (scopes?.includes(right) ?? true);
  }
}
