import { err, ok, type Result } from "neverthrow";
import type { Budget } from "../budgets/budget.js";
import { budgetEventOf } from "../budgets/budget-event.js";
import { expireOverdue } from "../budgets/lifecycle/expire-budgets.js";
import { isOverdue } from "../budgets/overdue.js";
import { customersOf } from "../budgets/references/summaries.js";
import type { Committed } from "../commit/commit.js";
import type { DomainEvent } from "../events/event.js";
import type { Actor } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { notFound, type Problem } from "../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../kernel/retry-on-conflict.js";
import type { AttachmentCommit } from "./attachment-commits.js";
import type { AttachmentContext } from "./attachment-context.js";

/** Errors: not-found, for a deleted budget too. */
export async function presentBudget(
  { budgets }: AttachmentContext,
  actor: Actor,
  budgetId: string,
): Promise<Result<Budget, Problem>> {
  const budget = await budgets.store.findBudget(actor.businessId, budgetId);
  return budget === null || budget.deletion !== null ? err(notFound("budget", budgetId)) : ok(budget);
}

/**
 * Commits a change of a budget's attachments together with a `budget.updated` event. The budget keeps its version, so
 * that a customer can still accept an open budget and If-Match headers stay valid. `build` makes the commit again from the
 * stored budget when another writer wins. The result is how the commit ended: written, or refused for another reason.
 * Errors: not-found; conflict after repeated lost writes.
 */
export async function commitBeside(
  context: AttachmentContext,
  actor: Actor,
  budgetId: string,
  now: Instant,
  build: (budget: Budget, events: readonly DomainEvent[]) => AttachmentCommit,
): Promise<Result<Committed, Problem>> {
  const { budgets } = context;
  return retryOnConflict<Committed>(
    async () => {
      const budget = await presentBudget(context, actor, budgetId);
      if (budget.isErr()) return err(budget.error);
      if (isOverdue(budget.value, now)) {
        await expireOverdue(budgets, budget.value, now);
        return STALE;
      }
      const { status } = budget.value;
      const change = { fields: ["attachments"], from: status, to: status, reason: null };
      const summaries = await customersOf(budgets, actor.businessId, [budget.value]);
      const draft = { type: "budget.updated", ...change } as const;
      const eventId = await context.ids.next(actor.businessId);
      const events = [budgetEventOf(draft, eventId, budget.value, summaries, actor, now, { changes: [] })];
      const committed = await context.commit(build(budget.value, events));
      return committed.kind === "refused" && committed.by === STALE ? STALE : ok(committed);
    },
    () => keepsChanging("budget", budgetId),
  );
}
