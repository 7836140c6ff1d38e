import type { BudgetContext } from "../budget-context.js";
import type { BudgetView } from "../budget-view.js";
import { getBudget } from "./read-budgets.js";

/** A budget as a read answers it, without the actions, which depend on the caller; null = deleted or unknown. */
export async function replayedBudget(
  context: BudgetContext,
  businessId: string,
  id: string,
): Promise<Omit<BudgetView, "availableActions"> | null> {
  const view = (await getBudget(context, { kind: "system", businessId }, id)).unwrapOr(null);
  if (view === null) return null;
  const { availableActions: _, ...budget } = view;
  return budget;
}
