import { matchCommitted } from "../../commit/match-committed.js";
import type { Actor } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import type { Budget } from "../budget.js";
import { describeChanges } from "../budget-changes.js";
import { replaceBudgetCommit } from "../budget-commits.js";
import type { BudgetContext } from "../budget-context.js";
import { budgetEventOf, moved } from "../budget-event.js";
import { asOf, isOverdue } from "../overdue.js";
import { customersOf } from "../references/summaries.js";

/** Budgets in memory at a time. A store with group commit writes them in one commit. */
const BATCH = 20;

const EXPIRY = moved("budget.expired", "PENDING", "EXPIRED");

/**
 * Writes the expiry of an overdue budget, with its one `budget.expired`, which occurred at the validity date. Does
 * nothing for another budget, and when another writer was first.
 */
export async function expireOverdue(context: BudgetContext, budget: Budget, now: Instant): Promise<void> {
  if (!isOverdue(budget, now)) return;
  const actor: Actor = { kind: "system", businessId: budget.businessId };
  const expired = asOf(budget, now);
  const summaries = await customersOf(context, budget.businessId, [budget]);
  const eventId = await context.ids.next(budget.businessId);
  const changes = describeChanges(budget, expired, summaries, actor);
  const event = budgetEventOf(EXPIRY, eventId, expired, summaries, actor, budget.validUntil, changes);
  const committed = await context.commit(replaceBudgetCommit(expired, budget.version, { events: [event] }));
  matchCommitted(committed, { written: null, stale: null });
}

/**
 * The sweep: expires overdue budgets of all businesses, at most `batches` batches. Returns the number found. Readers do
 * not wait for it: they see an overdue budget by {@link asOf}. A business where a write fails, such as one that a host's
 * transaction holds, is left for the next sweep, and does not delay others. Rejects at the end with the first failure.
 */
export async function sweepOverdue(context: BudgetContext, now: Instant, batches = 500): Promise<number> {
  const failures = new Map<string, unknown>(); // by business
  let found = 0;
  for (let batch = 0; batch < batches; batch += 1) {
    const overdue = await context.store.findAllOverdueBudgets(now, BATCH, [...failures.keys()]);
    if (overdue.length === 0) break;
    const fail = (businessId: string) => (error: unknown) => void failures.set(businessId, error);
    await Promise.all(overdue.map((budget) => expireOverdue(context, budget, now).catch(fail(budget.businessId))));
    found += overdue.length;
  }
  for (const failure of failures.values()) throw failure;
  return found;
}
