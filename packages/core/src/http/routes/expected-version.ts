import { getBudget } from "../../budgets/reading/read-budgets.js";
import type { Actor } from "../../kernel/actor.js";
import type { BaseCall } from "../route.js";

const NO_VERSION = 0; // versions begin at 1

/** The version of a budget that If-Match allows a write to replace; null = any. */
export function expectedVersion(call: BaseCall, actor: Actor, budgetId: string): Promise<number | null> {
  return expectedVersionOf(call, async () => {
    const current = await getBudget(call.context.budgets, actor, budgetId, call.now);
    return current.isOk() ? current.value.version : null;
  });
}

/** The same for any versioned resource; `currentVersion` returns null if it does not exist. */
export async function expectedVersionOf(
  { request }: BaseCall,
  currentVersion: () => Promise<number | null>,
): Promise<number | null> {
  const versions = request.ifMatch();
  if (versions === null) return null;
  const [first = NO_VERSION, ...others] = versions;
  if (others.length === 0) return first;
  const current = await currentVersion();
  return current !== null && versions.includes(current) ? current : NO_VERSION;
}
