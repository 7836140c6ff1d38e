import { err, ok, type Result } from "neverthrow";
import { receiptLost } from "../idempotency/receipt-lost.js";
import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import type { Budget } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { budgetEventOf } from "./budget-event.js";
import type { Summaries } from "./budget-view.js";
import { customersOf } from "./summaries.js";

/** What a budget is made of; who makes it, for whom and when, is the same for all. */
export type NewBudget = Omit<
  Budget,
  | "businessId"
  | "version"
  | "revision"
  | "revised"
  | "paid"
  | "createdAt"
  | "createdBy"
  | "updatedAt"
  | "approvedAt"
  | "approvedBy"
  | "acceptance"
  | "deletion"
>;

/**
 * Commits a new budget with its `budget.created` and answers with `present`.
 * Errors: a conflict when another request took the idempotency key over.
 */
export async function insertBudget<View>(
  context: BudgetContext,
  actor: Actor,
  content: NewBudget,
  now: Instant,
  options: WriteOptions<View>,
  present: (budget: Budget, summaries: Summaries) => View,
): Promise<Result<View, Problem>> {
  const budget: Budget = {
    businessId: actor.businessId,
    version: 1,
    revision: 1,
    revised: { at: now, by: actorLabel(actor), changes: [], asked: content.status !== "DRAFT" },
    paid: 0,
    createdAt: now,
    createdBy: actorLabel(actor),
    updatedAt: now,
    approvedAt: null,
    approvedBy: null,
    acceptance: null,
    deletion: null,
    ...content,
  };
  const summaries = await customersOf(context, budget.businessId, [budget]);
  const draft = { type: "budget.created", fields: [], from: null, to: budget.status, reason: null } as const;
  const event = budgetEventOf(draft, await context.ids.next(), budget, summaries, actor, now);
  const view = present(budget, summaries);
  const outcome = await context.store.insertBudget(budget, [event], options.receiptFor?.(view) ?? null);
  if (outcome === "receipt-lost") return err(receiptLost);
  context.announce([event]);
  return ok(view);
}
