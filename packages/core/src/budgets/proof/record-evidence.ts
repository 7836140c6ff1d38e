import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import type { Decision } from "../lifecycle/change-budget.js";
import { publicViewOf, surroundingsOf } from "../offer/public-view.js";
import { shownContentOf } from "../offer/shown-content.js";
import { customersOf } from "../references/summaries.js";
import { reviseBudget } from "../revision.js";
import { factsOfBusiness, signEvidence } from "./evidence.js";

/** The decision with the evidence that the business has accepted in the customer's place. */
export async function recordEvidence(
  context: BudgetContext,
  current: Budget,
  decision: Decision,
  actor: Actor,
  now: Instant,
): Promise<Decision> {
  const offered = reviseBudget(current, decision.budget, actor, now);
  const summaries = await customersOf(context, actor.businessId, [offered]);
  const content = shownContentOf(publicViewOf(offered, summaries, await surroundingsOf(context, offered)));
  const evidence = await signEvidence(context, { current, content, actor, facts: factsOfBusiness(actor), now });
  return { ...decision, budget: { ...decision.budget, evidence } };
}
