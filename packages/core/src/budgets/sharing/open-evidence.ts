import { err, ok, type Result } from "neverthrow";
import { notFound, type Problem } from "../../kernel/problem.js";
import type { FlattenedJws } from "../../signing/signing-keys.js";
import type { BudgetContext } from "../budget-context.js";
import { readEvidence } from "../proof/evidence.js";
import { findByToken } from "./public-link.js";

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
