import { err, ok, type Result } from "neverthrow";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import { jwsDigest } from "../../signing/signing-keys.js";
import type { Budget } from "../budget.js";
import type { BudgetContext } from "../budget-context.js";
import { asOf } from "../overdue.js";
import { customersOf } from "../references/summaries.js";
import { findByToken } from "./public-token.js";
import { type PublicBudgetView, publicViewOf, surroundingsOf } from "./public-view.js";

/** A budget as its customer sees it, whether or not it has a link. */
export interface OfferedBudget {
  readonly businessId: string;
  readonly view: Omit<PublicBudgetView, "publicUrl">;
  readonly changedAt: Instant;
  /** Of the evidence of the acceptance, as in the next evidence; null = none. */
  readonly evidenceHash: string | null;
}

/** For the business. Errors: not-found, as for a read of the budget. */
export async function findOfferedBudget(
  context: BudgetContext,
  actor: Actor,
  id: string,
  now: Instant,
): Promise<Result<OfferedBudget, Problem>> {
  const budget = await context.store.findBudget(actor.businessId, id);
  if (budget === null || budget.deletion !== null) return err(notFound("budget", id));
  return ok(await offeredOf(context, budget, now));
}

/** For the customer. Errors: not-found, as for the page of the link. */
export async function findOfferedByToken(
  context: BudgetContext,
  token: string,
  now: Instant,
): Promise<Result<OfferedBudget, Problem>> {
  const budget = await findByToken(context, token);
  return budget === null ? err(notFound("publicLink", "")) : ok(await offeredOf(context, budget, now));
}

async function offeredOf(context: BudgetContext, stored: Budget, now: Instant): Promise<OfferedBudget> {
  const budget = asOf(stored, now);
  const { businessId, updatedAt, evidence } = budget;
  const [surroundings, summaries] = await Promise.all([
    surroundingsOf(context, budget),
    customersOf(context, businessId, [budget]),
  ]);
  const view = publicViewOf(budget, summaries, surroundings);
  const evidenceHash = evidence === undefined ? null : jwsDigest(evidence);
  return { businessId, view, changedAt: updatedAt, evidenceHash };
}
