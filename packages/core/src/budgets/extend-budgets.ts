import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Actor } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { wireDate } from "../kernel/fields.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { Budget } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { type BudgetResults, budgetIds, forEachBudget } from "./each-budget.js";
import { changeBudget, type Decision, type Settled } from "./lifecycle/change-budget.js";
import { checkStillValid, validityOf } from "./lifecycle/validity.js";
import { decideUpdate } from "./update-budget.js";

export const extendBudgetsSchema = z
  .object({
    /** Ids of 1 to 100 budgets, each once. */
    budgetIds,
    /** Until when the offers hold: later than now, and than they hold already. ISO 8601. */
    validUntil: wireDate,
  })
  .meta({ id: "ExtendBudgets" });
/** The budgets that hold longer, and until when. */
export interface ExtendBudgets extends z.input<typeof extendBudgetsSchema> {}
export type ExtendBudgetsInput = z.output<typeof extendBudgetsSchema>;

/**
 * Sets a later validity of pending budgets, and offers expired ones again. Each is an update of its own.
 * Errors: VALIDITY_IN_THE_PAST; a conflict when the claim of the key is lost. Of a budget: not-found, NOT_EXTENDABLE,
 * VALIDITY_NOT_LATER, ALREADY_ACCEPTED and those of changeBudget.
 */
export async function extendBudgets(
  context: BudgetContext,
  actor: Actor,
  { budgetIds, validUntil: date }: ExtendBudgetsInput,
  options: Omit<WriteOptions, "expectedVersion"> = {},
): Promise<Result<BudgetResults, Problem>> {
  const now = options.now ?? context.clock.now();
  const validUntil = await validityOf(context, actor.businessId, date);
  const valid = checkStillValid(validUntil, now);
  if (valid.isErr() || validUntil === null) return valid.andThen(() => err(notLater));
  return forEachBudget(context, actor, budgetIds, options, (id) =>
    changeBudget<null>(
      context,
      actor,
      id,
      { now },
      { decide: (current) => decideExtension(current, validUntil, actor, now), present: () => null },
    ),
  );
}

/** A budget that holds exactly so long is left as it is: the request may be a repeated one. */
function decideExtension(
  current: Budget,
  validUntil: Instant,
  actor: Actor,
  now: Instant,
): Result<Decision | Settled<null>, Problem> {
  const { status } = current;
  const extended = { ...current, validUntil };
  if (status === "EXPIRED") return decideUpdate(current, extended, "PENDING", actor, now);
  if (status !== "PENDING") return err(notExtendable(status));
  if (current.validUntil === validUntil) return ok({ view: null });
  if (current.validUntil === null || current.validUntil > validUntil) return err(notLater);
  return current.acceptance === null ? decideUpdate(current, extended, status, actor, now) : err(accepted);
}

function notExtendable(status: Budget["status"]): Problem {
  const message = `Only a budget that is PENDING or EXPIRED is extended; this one is ${status}.`;
  return brokenRule("NOT_EXTENDABLE", message, { status });
}

const notLater = brokenRule("VALIDITY_NOT_LATER", "The budget holds longer already.", { field: "validUntil" });

/** A new date is another offer, with which an acceptance ends. One update says so; many at once could hide it. */
const accepted = brokenRule(
  "ALREADY_ACCEPTED",
  "The budget was accepted already and waits for a payment. A new date would end the acceptance: update the budget itself.",
);
