import { getBudget } from "../../budgets/read-budgets.js";
import type { Actor } from "../../kernel/actor.js";
import type { BaseCall } from "../route.js";

const NO_VERSION = 0; // versions begin at 1

/** The version that a write may replace according to If-Match; null when any will do. */
export async function expectedVersion(
  { context, ifMatch, now }: BaseCall,
  actor: Actor,
  budgetId: string,
): Promise<number | null> {
  const versions = ifMatch();
  if (versions === null) return null;
  const [first = NO_VERSION, ...others] = versions;
  if (others.length === 0) return first;
  const current = await getBudget(context.budgets, actor, budgetId, now);
  return current.isOk() && versions.includes(current.value.version) ? current.value.version : NO_VERSION;
}
