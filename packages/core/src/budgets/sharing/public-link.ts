import { err, ok, type Result } from "neverthrow";
import type { Instant } from "../../kernel/clock.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import type { Summaries } from "../budget-view.js";
import { findByToken, publicUrlOf } from "../offer/public-token.js";
import { type PublicBudgetView, publicViewOf, surroundingsOf } from "../offer/public-view.js";
import { asOf } from "../overdue.js";
import { customersOf } from "../references/summaries.js";

/** The budget behind a link. Errors: not-found for an unknown or replaced token, a deleted budget, a draft. */
export async function openPublicLink(
  context: BudgetContext,
  token: string,
  now: Instant = context.clock.now(),
): Promise<Result<PublicBudgetView, Problem>> {
  const stored = await findByToken(context, token);
  if (stored === null) return err(notFound("publicLink", ""));
  const budget = asOf(stored, now);
  const summaries = await customersOf(context, budget.businessId, [budget]);
  return ok((await presentPublicly(context, budget, token))(budget, summaries));
}

/** Reads what a view has beside its budget, so that a commit can make the view. */
export async function presentPublicly(context: BudgetContext, shown: Budget, token: string) {
  const surroundings = await surroundingsOf(context, shown, publicUrlOf(context, token));
  return (budget: Budget, summaries: Summaries) => publicViewOf(budget, summaries, surroundings);
}
