import { err, ok, type Result } from "neverthrow";
import { claimLost } from "../idempotency/write-options.js";
import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { Problem } from "../kernel/problem.js";
import { quotaExceeded } from "../limits/storage-quota.js";
import type { Budget } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { budgetEventOf } from "./budget-event.js";
import { checkBudgetSize } from "./budget-size.js";
import type { Summaries } from "./budget-view.js";
import { customersOf } from "./references/summaries.js";

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
>;

/**
 * Commits a new budget with its `budget.created` event.
 * Errors: BUDGET_TOO_LARGE; QUOTA_EXCEEDED; a conflict when another request holds the idempotency key.
 */
export async function insertBudget<View>(
  context: BudgetContext,
  actor: Actor,
  content: NewBudget,
  now: Instant,
  options: WriteOptions<View>,
  present: (budget: Budget, summaries: Summaries, actor: Actor) => View,
): Promise<Result<View, Problem>> {
  const sized = checkBudgetSize(content);
  if (sized.isErr()) return err(sized.error);
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
  const eventId = await context.ids.next(budget.businessId);
  const event = budgetEventOf(draft, eventId, budget, summaries, actor, now);
  const view = present(budget, summaries, actor);
  const { store, quota } = context;
  const outcome = await store.insertBudget(budget, [event], options.recordFor?.(view) ?? null, quota);
  if (outcome === "claim-lost") return err(claimLost);
  if (outcome === "quota-exceeded") return err(await quotaExceeded(store, budget.businessId, quota, true));
  context.announce([event]);
  return ok(view);
}
