import { err, ok, type Result } from "neverthrow";
import { receiptLost } from "../idempotency/receipt-lost.js";
import type { Actor } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import type { Budget } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { budgetEventOf } from "./budget-event.js";
import type { Summaries } from "./budget-view.js";
import { customersOf } from "./summaries.js";

/** Commits a new budget with its `budget.created` and answers with `present`. Errors: a conflict when another request took the idempotency key over. */
export async function insertBudget<View>(
  context: BudgetContext,
  actor: Actor,
  budget: Budget,
  now: Instant,
  options: WriteOptions<View>,
  present: (budget: Budget, summaries: Summaries) => View,
): Promise<Result<View, Problem>> {
  const summaries = await customersOf(context, budget.businessId, [budget]);
  const draft = { type: "budget.created", fields: [], from: null, to: budget.status, reason: null } as const;
  const event = budgetEventOf(draft, await context.ids.next(), budget, summaries, actor, now);
  const view = present(budget, summaries);
  const outcome = await context.store.insertBudget(budget, [event], options.receiptFor?.(view) ?? null);
  if (outcome === "receipt-lost") return err(receiptLost);
  context.announce([event]);
  return ok(view);
}
