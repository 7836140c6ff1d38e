import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../../kernel/actor.js";
import { type Instant, toTimestamp } from "../../kernel/clock.js";
import { timestampView } from "../../kernel/fields.js";
import type { Problem } from "../../kernel/problem.js";
import type { Budget } from "../budget.js";
import type { BudgetContext, WriteOptions } from "../budget-context.js";
import { moved } from "../budget-event.js";
import { type BudgetView, budgetViewOf } from "../budget-view.js";
import { isOverdue } from "../overdue.js";
import { invalidTransition } from "../transitions.js";
import { changeBudget, type Decision } from "./change-budget.js";

export const deletionViewSchema = z
  .object({ id: z.string(), status: z.literal("DELETED"), deletedAt: timestampView })
  .meta({ id: "BudgetDeletion" });
export type DeletionView = z.infer<typeof deletionViewSchema>;

/** Soft delete, from any status: the budget can be restored. Errors: those of changeBudget. */
export function deleteBudget(
  context: BudgetContext,
  actor: Actor,
  id: string,
  options: WriteOptions = {},
): Promise<Result<DeletionView, Problem>> {
  return changeBudget(context, actor, id, options, {
    decide: decideDeletion,
    present: ({ id, updatedAt }) => ({ id, status: "DELETED", deletedAt: toTimestamp(updatedAt) }),
    ignoresQuota: true,
  });
}

function decideDeletion(current: Budget, now: Instant): Result<Decision, Problem> {
  const deletion = { deletedAt: now, from: current.status };
  const events = [moved("budget.deleted", current.status, "DELETED")];
  return ok({ budget: { ...current, status: "DELETED", deletion }, events });
}

/** Restores the former status of a deleted budget, or EXPIRED if its validity has passed. */
export function restoreBudget(
  context: BudgetContext,
  actor: Actor,
  id: string,
  options: WriteOptions = {},
): Promise<Result<BudgetView, Problem>> {
  return changeBudget(context, actor, id, options, {
    decide: decideRestoration,
    present: budgetViewOf,
    meetsDeleted: true,
  });
}

/** Errors: INVALID_TRANSITION for a budget that is not deleted. */
function decideRestoration(current: Budget, now: Instant): Result<Decision, Problem> {
  if (current.deletion === null) return err(invalidTransition(current.status, current.status, "restore"));
  const { from } = current.deletion;
  const restored = moved("budget.updated", "DELETED", from);
  const budget = { ...current, status: from, deletion: null };
  if (!isOverdue(budget, now)) return ok({ budget, events: [restored] });
  const expired = moved("budget.expired", from, "EXPIRED");
  return ok({ budget: { ...budget, status: "EXPIRED", acceptance: null }, events: [restored, expired] });
}
