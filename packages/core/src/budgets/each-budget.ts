import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { commitOf } from "../commit/commit.js";
import { matchCommitted } from "../commit/match-committed.js";
import { claimLost } from "../idempotency/write-options.js";
import type { Actor } from "../kernel/actor.js";
import { SIZES } from "../kernel/fields.js";
import type { Problem } from "../kernel/problem.js";
import { PROBLEM_CODES } from "../kernel/problem-codes.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";

const MAX_BUDGETS = 100;

/** The budgets of one act in bulk. */
export const budgetIds = z
  .array(z.string().min(1).max(SIZES.id))
  .min(1)
  .max(MAX_BUDGETS)
  .superRefine((ids, context) => {
    for (const [index, id] of ids.entries()) {
      if (ids.indexOf(id) === index) continue;
      const params = { code: "INVALID_VALUE" };
      context.addIssue({ code: "custom", path: [index], message: "must not be named twice", params });
    }
  })
  .describe("Ids of 1 to 100 budgets, each once.");

export const budgetResultsSchema = z
  .object({
    /** One for each budget, in the order of the request. */
    results: z
      .array(
        z
          .object({
            /** Id of the budget, as given. */
            budgetId: z.string(),
            /** `refused`: this budget is as it was. */
            status: z.enum(["done", "refused"]).describe("`refused`: this budget is as it was."),
            /** Why it was refused: the business rule, else the error code; absent = done. */
            code: z
              .string()
              .optional()
              .describe("Why it was refused: the business rule, else the error code; absent = done."),
            /** The reason, for people to read; absent = done. */
            message: z.string().optional().describe("The reason, for people to read; absent = done."),
          })
          .meta({ id: "BudgetResult" }),
      )
      .describe("One for each budget, in the order of the request."),
  })
  .meta({ id: "BudgetResults" });
/** What happened to each budget of an act in bulk. */
export interface BudgetResults extends z.infer<typeof budgetResultsSchema> {}

/**
 * Acts on one budget after the other, each by a commit of its own: one that is refused hinders no other. A last commit
 * completes the claim of an Idempotency-Key, so that a request that was cut off is run again, and each act must bear that.
 * Errors: conflict when the claim is lost.
 */
export async function forEachBudget(
  { commit }: Pick<BudgetContext, "commit">,
  { businessId }: Actor,
  ids: readonly string[],
  { claim }: Pick<WriteOptions, "claim">,
  act: (id: string) => Promise<Result<unknown, Problem>>,
): Promise<Result<BudgetResults, Problem>> {
  const results: BudgetResults["results"] = [];
  for (const budgetId of ids) {
    const acted = await act(budgetId);
    results.push(acted.isOk() ? { budgetId, status: "done" } : refused(budgetId, acted.error));
  }
  const result = { results };
  if (claim === undefined) return ok(result);
  const committed = await commit(commitOf(businessId, []), { claim, result });
  return matchCommitted(committed, { written: ok(result), "claim-lost": err(claimLost) });
}

function refused(budgetId: string, problem: Problem): BudgetResults["results"][number] {
  const code = problem.kind === "rule" ? problem.rule : PROBLEM_CODES[problem.kind];
  return { budgetId, status: "refused", code, message: problem.message };
}
