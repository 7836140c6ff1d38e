import { err, ok, type Result } from "neverthrow";
import type { Instant } from "../../kernel/clock.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import type { Summaries } from "../budget-view.js";
import { findByToken, publicUrlOf } from "../offer/public-token.js";
import {
  type PublicBudgetView,
  publicViewOf,
  SHOWN_MESSAGES,
  type Surroundings,
  surroundingsOf,
} from "../offer/public-view.js";
import { asOf } from "../overdue.js";
import { customersOf } from "../references/summaries.js";
import { readFormerOffers } from "./former-offers.js";

/** The budget behind a link. Errors: not-found for an unknown or replaced token, a deleted budget, a draft. */
export async function openPublicLink(
  context: BudgetContext,
  token: string,
  now: Instant = context.clock.now(),
): Promise<Result<PublicBudgetView, Problem>> {
  const stored = await findByToken(context, token);
  if (stored === null) return err(notFound("publicLink", ""));
  const budget = asOf(stored, now);
  const [present, summaries] = await Promise.all([
    presentPublicly(context, budget, token),
    customersOf(context, budget.businessId, [budget]),
  ]);
  return ok(present(budget, summaries));
}

/**
 * Reads what a view has beside its budget, in one round, so that a commit can make the view. `known` takes the place of
 * what is read.
 */
export async function presentPublicly(
  context: BudgetContext,
  shown: Budget,
  token: string,
  known: Partial<Surroundings> = {},
) {
  const { store } = context;
  const [around, { entries: messages }, former] = await Promise.all([
    surroundingsOf(context, shown, publicUrlOf(context, token)),
    store.listMessages(shown.businessId, shown.id, SHOWN_MESSAGES, 0),
    readFormerOffers(store, shown),
  ]);
  const surroundings = { ...around, messages, former, ...known };
  return (budget: Budget, summaries: Summaries) => publicViewOf(budget, summaries, surroundings);
}
