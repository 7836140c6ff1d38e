import { err, ok, type Result } from "neverthrow";
import { receiptLost } from "../idempotency/receipt-lost.js";
import type { Actor } from "../kernel/actor.js";
import { at } from "../kernel/at.js";
import type { Instant } from "../kernel/clock.js";
import { notFound, type Problem } from "../kernel/problem.js";
import type { Budget } from "./budget.js";
import type { BudgetContext, WriteOptions } from "./budget-context.js";
import { budgetEventOf, type EventDraft } from "./budget-event.js";
import type { Summaries } from "./budget-view.js";
import { expireOverdue, isOverdue } from "./expire-budgets.js";
import { reviseBudget } from "./revision.js";
import { customersOf } from "./summaries.js";

/** What a rule decides: the budget as it should be and what happened on the way. The version is not its concern. */
export interface Decision {
  readonly budget: Budget;
  readonly events: readonly EventDraft[];
}

/** A rule: the stored budget and the moment in, a decision or a problem out. */
type Decide = (current: Budget, now: Instant) => Result<Decision, Problem> | Promise<Result<Decision, Problem>>;

/** One change of one budget. */
export interface BudgetChange<View> {
  readonly decide: Decide;
  readonly present: (budget: Budget, summaries: Summaries) => View;
  readonly meetsDeleted?: boolean; // restore alone looks at deleted budgets
}

const ATTEMPTS = 10;

/**
 * Carries out a change by compare-and-set: reads, decides, writes, and decides anew when another writer came between.
 * An overdue budget is expired first, so that no rule ever sees it as PENDING.
 * Errors: not-found; stale when `expectedVersion` is no longer the stored one; those of the rule; a conflict when
 * others keep coming between.
 */
export async function changeBudget<View>(
  context: BudgetContext,
  actor: Actor,
  id: string,
  options: WriteOptions<View>,
  change: BudgetChange<View>,
): Promise<Result<View, Problem>> {
  const now = options.now ?? context.clock.now();
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const current = await context.store.findBudget(actor.businessId, id);
    if (current === null || (current.deletion !== null && change.meetsDeleted !== true)) {
      return err(notFound("budget", id));
    }
    if (isOverdue(current, now)) {
      await expireOverdue(context, current, now);
      continue;
    }
    if (isUnexpected(current, options)) return err(stale);
    const decided = await change.decide(current, now);
    if (decided.isErr()) return err(decided.error);
    const revised = reviseBudget(current, decided.value.budget, actor, now);
    const budget = { ...revised, version: current.version + 1, updatedAt: now };
    const summaries = await customersOf(context, actor.businessId, [budget]);
    const ids = await context.ids.take(decided.value.events.length);
    const events = decided.value.events.map((draft, index) =>
      budgetEventOf(draft, at(ids, index), budget, summaries, actor, now),
    );
    const view = change.present(budget, summaries);
    const receipt = options.receiptFor?.(view) ?? null;
    const outcome = await context.store.replaceBudget(budget, current.version, events, receipt);
    if (outcome === "receipt-lost") return err(receiptLost);
    if (outcome === "stale") continue;
    context.announce(events);
    return ok(view);
  }
  return err({ kind: "conflict", message: "Others keep changing this budget; try again.", details: { id } });
}

function isUnexpected(current: Budget, { expectedVersion }: WriteOptions<never>): boolean {
  return expectedVersion !== undefined && expectedVersion !== null && expectedVersion !== current.version;
}

const stale: Problem = { kind: "stale", message: "The budget has changed since the version that If-Match names." };
