import { err, ok, type Result } from "neverthrow";
import type { Actor } from "../../kernel/actor.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import type { FlattenedJws } from "../../signing/signing-keys.js";
import { readEvidence } from "../accepted-revision.js";
import type { BudgetContext } from "../budget-context.js";
import { findByToken } from "../offer/public-token.js";

/**
 * The evidence of the last acceptance of a budget, with `revision` of that revision's, byte for byte as it was signed.
 * Errors: not-found, also before an acceptance.
 */
export async function getEvidence(
  { store }: BudgetContext,
  actor: Actor,
  id: string,
  revision: number | null = null,
): Promise<Result<FlattenedJws, Problem>> {
  const budget = await store.findBudget(actor.businessId, id);
  if (budget === null || budget.deletion !== null) return err(notFound("budget", id));
  const state = revision === null ? budget : await store.findRevision(actor.businessId, id, revision);
  const evidence = state?.evidence;
  if (evidence === undefined) return err(notFound("evidence", id));
  // A revision keeps the evidence of the one before until it is accepted itself.
  if (revision !== null && readEvidence(evidence).revision !== revision) return err(notFound("evidence", id));
  return ok(evidence);
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
