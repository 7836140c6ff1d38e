import { err, ok, type Result } from "neverthrow";
import { claimLost } from "../idempotency/write-options.js";
import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { quotaExceeded } from "../limits/storage-quota.js";
import type { Budget } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { budgetEventOf } from "./budget-event.js";
import { checkBudgetSize } from "./budget-size.js";
import type { Summaries } from "./budget-view.js";
import { keepNumber, type Sending, sendBudget } from "./first-sending.js";
import { fillNumber, recordWithBlank } from "./late-number.js";

/** The content of a new budget. insertBudget sets the other fields. */
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
  | "number"
  | "hasTermsOfBusiness"
>;

/** A new budget and its customer, who is looked up beforehand: together with other look-ups, in one round trip. */
export interface Insertion {
  readonly budget: NewBudget;
  readonly summaries: Summaries;
}

/**
 * Commits a new budget with its `budget.created` event.
 * Errors: BUDGET_TOO_LARGE; QUOTA_EXCEEDED; NUMBER_TAKEN; a conflict when another request holds the idempotency key.
 */
export async function insertBudget<View>(
  context: BudgetContext,
  actor: Actor,
  { budget: given, summaries }: Insertion,
  now: Instant,
  options: WriteOptions,
  present: (budget: Budget, summaries: Summaries, actor: Actor) => View,
): Promise<Result<View, Problem>> {
  const sized = checkBudgetSize(given);
  if (sized.isErr()) return err(sized.error);
  const content: Budget = {
    businessId: actor.businessId,
    version: 1,
    revision: 1,
    revised: { at: now, by: actorLabel(actor), changes: [], asked: given.status !== "DRAFT" },
    paid: 0,
    createdAt: now,
    createdBy: actorLabel(actor),
    updatedAt: now,
    approvedAt: null,
    approvedBy: null,
    acceptance: null,
    deletion: null,
    ...given,
  };
  const { budget, numbering } = await sendingOf(context, content, now, options);
  const draft = { type: "budget.created", fields: [], from: null, to: budget.status, reason: null } as const;
  const eventId = await context.ids.next(budget.businessId);
  const event = budgetEventOf(draft, eventId, budget, summaries, actor, now);
  const view = present(budget, summaries, actor);
  const { store, quota } = context;
  const record = recordWithBlank(options.recordFor?.(view) ?? null, numbering);
  const outcome = await store.insertBudget(budget, [event], record, quota, numbering);
  if (outcome === "claim-lost") return err(claimLost);
  if (outcome === "quota-exceeded") return err(await quotaExceeded(store, budget.businessId, quota, true));
  if (outcome === "number-taken") return err(numberTaken);
  fillNumber(outcome, numbering, view, [event]);
  await context.announce([event]);
  return ok(view);
}

async function sendingOf(
  context: BudgetContext,
  budget: Budget,
  now: Instant,
  { imported }: WriteOptions,
): Promise<Sending> {
  if (imported !== undefined) return keepNumber(context, budget, imported.number);
  return budget.status === "PENDING" ? sendBudget(context, budget, now) : { budget };
}

const numberTaken: Problem = brokenRule("NUMBER_TAKEN", "Another budget of the business has this number.", {
  field: "number",
});
