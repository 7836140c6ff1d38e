import { err, ok, type Result } from "neverthrow";
import type { Budget } from "../budgets/budget.js";
import { budgetEventOf } from "../budgets/budget-event.js";
import { expireOverdue, isOverdue } from "../budgets/expire-budgets.js";
import { customersOf } from "../budgets/summaries.js";
import type { DomainEvent } from "../events/event.js";
import type { Actor } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import { notFound, type Problem } from "../kernel/problem.js";
import type { AttachmentContext } from "./attachment-context.js";

const ATTEMPTS = 10;

/** The budget whose attachments are asked for. Errors: not-found, for a deleted budget too. */
export async function presentBudget(
  { budgets }: AttachmentContext,
  actor: Actor,
  budgetId: string,
): Promise<Result<Budget, Problem>> {
  const budget = await budgets.store.findBudget(actor.businessId, budgetId);
  return budget === null || budget.deletion !== null ? err(notFound("budget", budgetId)) : ok(budget);
}

/**
 * Commits a change of what is beside a budget together with a `budget.updated` that names `attachments`. The budget
 * keeps its version: a customer who has it open may still accept it, and nobody's If-Match fails. `commit` answers
 * `"stale"` when another writer came between, and is then asked again about the budget as it is by now.
 * Errors: not-found; a conflict when others keep coming between.
 */
export async function commitBeside<Outcome extends string>(
  context: AttachmentContext,
  actor: Actor,
  budgetId: string,
  now: Instant,
  commit: (budget: Budget, events: readonly DomainEvent[]) => Promise<Outcome | "stale">,
): Promise<Result<Outcome, Problem>> {
  const { budgets } = context;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const budget = await presentBudget(context, actor, budgetId);
    if (budget.isErr()) return err(budget.error);
    if (isOverdue(budget.value, now)) {
      await expireOverdue(budgets, budget.value, now);
      continue;
    }
    const { status } = budget.value;
    const draft = { type: "budget.updated", fields: ["attachments"], from: status, to: status, reason: null } as const;
    const summaries = await customersOf(budgets, actor.businessId, [budget.value]);
    const events = [budgetEventOf(draft, await context.ids.next(), budget.value, summaries, actor, now)];
    const outcome = await commit(budget.value, events);
    if (outcome === "stale") continue;
    if (CHANGED.has(outcome)) budgets.announce(events);
    return ok(outcome);
  }
  return err({ kind: "conflict", message: "Others keep changing this budget; try again.", details: { id: budgetId } });
}

const CHANGED: ReadonlySet<string> = new Set(["written", "removed"]);
