/** Whose act it was, as the tabs of the activity divide them. */
export type Side = "customer" | "team" | "api" | "system";

export interface ActorParts {
  readonly side: Side;
  /** The id of a user or key, or the customer's own name; empty for the service itself. */
  readonly name: string;
}

const SIDES: Readonly<Record<string, Side>> = { customer: "customer", user: "team", key: "api" };

/** Reads `user:7`, `key:12`, `customer:Ana` or `system`. */
export function actorParts(label: string): ActorParts {
  const colon = label.indexOf(":");
  const side = SIDES[label.slice(0, Math.max(colon, 0))];
  return side === undefined ? { side: "system", name: "" } : { side, name: label.slice(colon + 1) };
}
