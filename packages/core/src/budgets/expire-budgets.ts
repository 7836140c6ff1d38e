import type { Actor } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { Budget } from "./budget.js";
import type { BudgetContext } from "./budget-context.js";
import { budgetEventOf, type EventDraft } from "./budget-event.js";
import { customersOf } from "./summaries.js";

/** How many budgets are held at a time, each with all that it carries; they share a commit where the store does that. */
const BATCH = 20;

/** True for a PENDING budget that has reached its validity date. Source: contract, Budget states. */
export function isOverdue(budget: Budget, now: Instant): boolean {
  return budget.status === "PENDING" && budget.validUntil !== null && budget.validUntil <= now;
}

/** The budget as time leaves it. */
function expire(budget: Budget, now: Instant): Budget {
  return { ...budget, status: "EXPIRED", acceptance: null, version: budget.version + 1, updatedAt: now };
}

const EXPIRY: EventDraft = { type: "budget.expired", fields: ["status"], from: "PENDING", to: "EXPIRED", reason: null };

/** Moves one overdue budget to EXPIRED, with its one `budget.expired`; does nothing when another writer was first. */
export async function expireOverdue(context: BudgetContext, budget: Budget, now: Instant): Promise<void> {
  const actor: Actor = { kind: "system", businessId: budget.businessId };
  const expired = expire(budget, now);
  const summaries = await customersOf(context, budget.businessId, [budget]);
  const event = budgetEventOf(EXPIRY, await context.ids.next(), expired, summaries, actor, now);
  const outcome = await context.store.replaceBudget(expired, budget.version, [event], null);
  if (outcome === "written") context.announce([event]);
}

/** Expires everything overdue in one business, so that a list shows and counts it where it belongs. */
export async function expireOverdueOf(context: BudgetContext, businessId: string, now: Instant): Promise<void> {
  let overdue = await context.store.findOverdueBudgets(businessId, now, BATCH);
  while (overdue.length > 0) {
    await Promise.all(overdue.map((budget) => expireOverdue(context, budget, now)));
    overdue = await context.store.findOverdueBudgets(businessId, now, BATCH);
  }
}

/** The sweep: expires what is overdue in every business, at most `batches` batches, and gives how many it met. */
export async function sweepOverdue(context: BudgetContext, now: Instant, batches = 500): Promise<number> {
  let met = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    const overdue = await context.store.findAllOverdueBudgets(now, BATCH);
    if (overdue.length === 0) break;
    await Promise.all(overdue.map((budget) => expireOverdue(context, budget, now)));
    met += overdue.length;
  }
  return met;
}
