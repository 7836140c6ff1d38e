import type { Actor } from "../kernel/actor.js";
import type { Problem } from "../kernel/problem.js";

/** Who may look at keys and webhooks: every user of the business, and the host itself. null = may. */
export function refuseUnlessReader(actor: Actor): Problem | null {
  if (actor.kind === "user" || actor.kind === "system") return null;
  return { kind: "forbidden", message: "This is managed with a login, not with an API key or a public link." };
}

/** Who may change keys and webhooks: OWNER and ADMIN, and the host itself. null = may. */
export function refuseUnlessAdministrator(actor: Actor): Problem | null {
  if (actor.kind === "user" && actor.role === "MEMBER") {
    return { kind: "forbidden", message: "This takes the role ADMIN or OWNER." };
  }
  return refuseUnlessReader(actor);
}
