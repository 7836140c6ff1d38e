import { err, ok, type Result } from "neverthrow";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import type { FlattenedJws } from "../../signing/signing-keys.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import type { Decision } from "../lifecycle/change-budget.js";
import { factsOfBusiness, readEvidence, signEvidence } from "../proof/evidence.js";
import { shownContentOf } from "../proof/shown-content.js";
import { customersOf } from "../references/summaries.js";
import { reviseBudget } from "../revision.js";
import { findByToken, publicViewOf, surroundingsOf } from "./public-link.js";

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

/**
 * The evidence of the customer's own acceptance. That of the business, which names its people, is not for customers.
 * Errors: not-found, also before an acceptance.
 */
export async function openEvidence(context: BudgetContext, token: string): Promise<Result<FlattenedJws, Problem>> {
  const evidence = (await findByToken(context, token))?.evidence;
  return evidence === undefined || readEvidence(evidence).channel !== "link"
    ? err(notFound("publicLink", ""))
    : ok(evidence);
}
