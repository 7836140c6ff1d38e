import { err, ok, type Result } from "neverthrow";
import { matchCommitted } from "../commit/match-committed.js";
import { claimLost } from "../idempotency/write-options.js";
import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { quotaExceeded } from "../limits/storage-quota.js";
import type { Budget } from "./budget.js";
import { insertBudgetCommit } from "./budget-commits.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { budgetEventOf } from "./budget-event.js";
import { checkBudgetSize } from "./budget-size.js";
import type { Summaries } from "./budget-view.js";
import { keepNumber, notNumbered, prepareSending, type Sending } from "./first-sending.js";

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
  const events = [budgetEventOf(draft, eventId, budget, summaries, actor, now)];
  const result = present(budget, summaries, actor);
  const { commit, quota, store } = context;
  const committed = await commit(insertBudgetCommit(budget, { events, quota, numbering }), {
    claim: options.claim,
    result,
  });
  const number = committed.kind === "written" ? committed.number : null;
  const outcome = matchCommitted(committed, {
    written: () => ok(number === null ? result : present({ ...budget, number }, summaries, actor)),
    number: () => err(numberTaken),
    "claim-lost": () => err(claimLost),
    "quota-exceeded": async () => err(await quotaExceeded(store, budget.businessId, quota, true)),
  });
  return outcome();
}

async function sendingOf(
  context: BudgetContext,
  budget: Budget,
  now: Instant,
  { imported }: WriteOptions,
): Promise<Sending> {
  if (imported !== undefined) return keepNumber(context, budget, imported.number);
  return budget.status === "PENDING" ? prepareSending(context, budget, now) : notNumbered(budget);
}

const numberTaken: Problem = brokenRule("NUMBER_TAKEN", "Another budget of the business has this number.", {
  field: "number",
});
