import { err, ok, type Result } from "neverthrow";
import type { Instant } from "../../kernel/clock.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import { asOf } from "../overdue.js";

/** The stored budget. Errors: not-found, also for a deleted budget and for one of another business. */
export async function findBudget(
  { store }: Pick<BudgetContext, "store">,
  businessId: string,
  id: string,
): Promise<Result<Budget, Problem>> {
  const budget = await store.findBudget(businessId, id);
  return budget === null || budget.deletion !== null ? err(notFound("budget", id)) : ok(budget);
}

/** The budget as of `now`: an overdue one is EXPIRED. Errors: as {@link findBudget}. */
export async function findCurrentBudget(
  context: Pick<BudgetContext, "store">,
  businessId: string,
  id: string,
  now: Instant,
): Promise<Result<Budget, Problem>> {
  return (await findBudget(context, businessId, id)).map((budget) => asOf(budget, now));
}
