import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { reason, wireDate } from "../../kernel/fields.js";
import type { Problem } from "../../kernel/problem.js";
import type { Budget, BudgetStatus } from "../budget.js";
import type { BudgetContext, WriteOptions } from "../budget-context.js";
import type { EventDraft } from "../budget-event.js";
import { type BudgetView, budgetViewOf } from "../budget-view.js";
import { findTransition, type Trigger } from "../transitions.js";
import { changeBudget, type Decision } from "./change-budget.js";
import { checkStillValid, validityOf } from "./validity.js";

/** A budget whose validity has passed needs a new date. */
export const reopenBudgetSchema = z
  .object({
    /** Why it is reopened. */
    reason,
    /** Until when the offer holds. ISO 8601. */
    validUntil: wireDate.nullish(),
  })
  .meta({ id: "ReopenBudget" });
/** Why an approved budget is reopened. */
export interface ReopenBudget extends z.input<typeof reopenBudgetSchema> {}
export type ReopenBudgetInput = z.output<typeof reopenBudgetSchema>;

type Move = (
  context: BudgetContext,
  actor: Actor,
  id: string,
  options?: WriteOptions,
) => Promise<Result<BudgetView, Problem>>;

/** DRAFT to PENDING. Errors of these moves: those of changeBudget, INVALID_TRANSITION, VALIDITY_IN_THE_PAST. */
export const submitBudget: Move = movedBy("submit", "PENDING");
/** PENDING back to DRAFT. */
export const withdrawBudget: Move = movedBy("withdraw", "DRAFT");
/** APPROVED to COMPLETED. */
export const completeBudget: Move = movedBy("complete", "COMPLETED");
/** COMPLETED to ARCHIVED. */
export const archiveBudget: Move = movedBy("archive", "ARCHIVED");

/** APPROVED back to PENDING. Clears the approval. */
export function reopenBudget(
  context: BudgetContext,
  actor: Actor,
  id: string,
  input: ReopenBudgetInput,
  options: WriteOptions = {},
): Promise<Result<BudgetView, Problem>> {
  return changeBudget(context, actor, id, options, {
    decide: async (current, now) => {
      const validUntil = await validityOf(context, actor.businessId, input.validUntil, current.validUntil);
      const reopened = { ...current, validUntil, approvedAt: null, approvedBy: null };
      const fields = validUntil === current.validUntil ? ["status"] : ["validUntil", "status"];
      return decideMove(reopened, "PENDING", "reopen", now, { fields, reason: input.reason });
    },
    present: budgetViewOf,
  });
}

function movedBy(trigger: Trigger, to: BudgetStatus): Move {
  return (context, actor, id, options = {}) =>
    changeBudget(context, actor, id, options, {
      decide: (current, now) => decideMove(current, to, trigger, now, { fields: ["status"], reason: null }),
      present: budgetViewOf,
    });
}

/** A move by an operation other than update. */
export function decideMove(
  current: Budget,
  to: BudgetStatus,
  trigger: Trigger,
  now: Instant,
  details: Pick<EventDraft, "fields" | "reason">,
): Result<Decision, Problem> {
  const move = findTransition(current.status, to, trigger);
  if (move.isErr()) return err(move.error);
  if (to === "PENDING") {
    const valid = checkStillValid(current.validUntil, now);
    if (valid.isErr()) return err(valid.error);
  }
  const event: EventDraft = { type: move.value.event, from: current.status, to, ...details };
  return ok({ budget: { ...current, status: to, acceptance: null }, events: [event] });
}
