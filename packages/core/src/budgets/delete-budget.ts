import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import { type Instant, toTimestamp } from "../kernel/clock.js";
import { timestampView } from "../kernel/fields.js";
import type { Problem } from "../kernel/problem.js";
import type { Budget } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import type { EventDraft } from "./budget-event.js";
import { type BudgetView, budgetViewOf } from "./budget-view.js";
import { changeBudget, type Decision } from "./change-budget.js";
import { invalidTransition } from "./transitions.js";

export const deletionViewSchema = z
  .object({ id: z.string(), status: z.literal("DELETED"), deletedAt: timestampView })
  .meta({ id: "BudgetDeletion" });
export type DeletionView = z.infer<typeof deletionViewSchema>;

/** Deletes softly, from any status: the budget can be restored. Errors: those of changeBudget. */
export function deleteBudget(
  context: BudgetContext,
  actor: Actor,
  id: string,
  options: WriteOptions<DeletionView> = {},
): Promise<Result<DeletionView, Problem>> {
  return changeBudget(context, actor, id, options, {
    decide: decideDeletion,
    present: ({ id, updatedAt }) => ({ id, status: "DELETED", deletedAt: toTimestamp(updatedAt) }),
  });
}

function decideDeletion(current: Budget, now: Instant): Result<Decision, Problem> {
  const deletion = { deletedAt: now, from: current.status };
  const event: EventDraft = {
    type: "budget.deleted",
    fields: ["status"],
    from: current.status,
    to: "DELETED",
    reason: null,
  };
  return ok({ budget: { ...current, status: "DELETED", deletion }, events: [event] });
}

/** Leads a deleted budget back to where it was, or to EXPIRED when its validity passed meanwhile. */
export function restoreBudget(
  context: BudgetContext,
  actor: Actor,
  id: string,
  options: WriteOptions<BudgetView> = {},
): Promise<Result<BudgetView, Problem>> {
  return changeBudget(context, actor, id, options, {
    decide: decideRestoration,
    present: budgetViewOf,
    meetsDeleted: true,
  });
}

/** Errors: INVALID_TRANSITION for a budget that is not deleted. */
function decideRestoration(current: Budget, now: Instant): Result<Decision, Problem> {
  if (current.deletion === null) return err(invalidTransition(current.status, current.status));
  const { from } = current.deletion;
  const restored: EventDraft = { type: "budget.updated", fields: ["status"], from: "DELETED", to: from, reason: null };
  const isOverdue = from === "PENDING" && current.validUntil !== null && current.validUntil <= now;
  if (!isOverdue) return ok({ budget: { ...current, status: from, deletion: null }, events: [restored] });
  const expired: EventDraft = { type: "budget.expired", fields: ["status"], from, to: "EXPIRED", reason: null };
  return ok({
    budget: { ...current, status: "EXPIRED", acceptance: null, deletion: null },
    events: [restored, expired],
  });
}
