import { err, ok, type Result } from "neverthrow";
import type { NumberDraw } from "../../commit/numbering.js";
import type { DomainEvent } from "../../events/event.js";
import type { IdempotencyRecord } from "../../idempotency/idempotency-store.js";
import { claimLost, refuseStaleVersion } from "../../idempotency/write-options.js";
import type { Actor } from "../../kernel/actor.js";
import { at } from "../../kernel/arrays.js";
import type { Instant } from "../../kernel/clock.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../../kernel/retry-on-conflict.js";
import { quotaExceeded } from "../../limits/storage-quota.js";
import type { Budget } from "../budget.js";
import { describeChanges } from "../budget-changes.js";
import type { BudgetContext, WriteOptions } from "../budget-context.js";
import { budgetEventOf, type EventDraft } from "../budget-event.js";
import type { ReplaceOutcome } from "../budget-store.js";
import type { Summaries } from "../budget-view.js";
import { type Sending, sendBudget } from "../first-sending.js";
import { fillNumber, recordWithBlank } from "../late-number.js";
import { isOverdue } from "../overdue.js";
import { customersOf } from "../references/summaries.js";
import { dropFallenAnswer } from "../repeated-answer.js";
import { isSent, reviseBudget } from "../revision.js";
import { expireOverdue } from "./expire-budgets.js";

/** The decision of a rule: the changed budget and its events. changeBudget sets the version. */
export interface Decision {
  readonly budget: Budget;
  readonly events: readonly EventDraft[];
}

/** The rule finds that nothing is left to write: the view is the result. */
export interface Settled<View> {
  readonly view: View;
}

type Decided<View, D> = Result<D | Settled<View>, Problem>;

/** One change of one budget. */
export interface BudgetChange<View, D extends Decision = Decision> {
  /** The rule: decides from the stored budget and the time. */
  readonly decide: (current: Budget, now: Instant) => Decided<View, D> | Promise<Decided<View, D>>;
  readonly present: (budget: Budget, summaries: Summaries, actor: Actor, decision: D) => View;
  /** Writes the budget and what else the rule decided; `"taken"` = that exists already. Default: writes the budget. */
  readonly write?: (commit: BudgetCommit, decision: D) => Promise<ReplaceOutcome | "taken">;
  readonly ignoresQuota?: boolean; // for deletions and for the customer's answers
  readonly meetsDeleted?: boolean; // only restore changes deleted budgets
  readonly attempts?: number; // default: that of retryOnConflict
}

/** The content of one commit. */
interface BudgetCommit {
  readonly budget: Budget;
  readonly expectedVersion: number;
  readonly events: readonly DomainEvent[];
  readonly idempotencyRecord: IdempotencyRecord | null;
}

/**
 * Changes a budget by compare-and-set, and decides again after a lost race. An overdue budget is expired first, so that
 * no rule sees it as PENDING.
 * Errors: not-found; stale when `expectedVersion` is not the stored version; those of the rule; QUOTA_EXCEEDED; a
 * conflict when every attempt loses.
 */
export async function changeBudget<View, D extends Decision = Decision>(
  context: BudgetContext,
  actor: Actor,
  id: string,
  options: WriteOptions,
  change: BudgetChange<View, D>,
): Promise<Result<View, Problem>> {
  const now = options.now ?? context.clock.now();
  return retryOnConflict(
    async () => {
      const current = await context.store.findBudget(actor.businessId, id);
      if (current === null || (current.deletion !== null && change.meetsDeleted !== true)) {
        return err(notFound("budget", id));
      }
      if (isOverdue(current, now)) {
        await expireOverdue(context, current, now);
        return STALE;
      }
      const stale = refuseStaleVersion("budget", current, options);
      if (stale !== null) return err(stale);
      const decided = await change.decide(current, now);
      if (decided.isErr()) return err(decided.error);
      const decision = decided.value;
      if ("view" in decision) return ok(decision.view);
      return commitDecision(context, actor, current, decision, { ...options, now }, change);
    },
    () => keepsChanging("budget", id),
    change.attempts,
  );
}

/** Writes one decision with its revision, version and events. Another writer can make it stale. */
async function commitDecision<View, D extends Decision>(
  context: BudgetContext,
  actor: Actor,
  current: Budget,
  decision: D,
  { now, recordFor, imported }: WriteOptions & { readonly now: Instant },
  change: BudgetChange<View, D>,
): Promise<Result<View, Problem> | typeof STALE> {
  const revised = reviseBudget(current, dropFallenAnswer(current, decision.budget), actor, now);
  const next = { ...revised, version: current.version + 1, updatedAt: now };
  const [summaries, { budget, numbering }] = await Promise.all([
    customersOf(context, actor.businessId, [next]),
    imported === undefined ? sendingOf(context, current, next, now) : { budget: next, numbering: undefined },
  ]);
  const ids = await context.ids.take(actor.businessId, decision.events.length);
  const changes = describeChanges(current, budget, summaries, actor);
  const events = decision.events.map((draft, index) =>
    budgetEventOf(draft, at(ids, index), budget, summaries, actor, now, changes),
  );
  const view = change.present(budget, summaries, actor, decision);
  const idempotencyRecord = recordWithBlank(recordFor?.(view) ?? null, numbering);
  if (change.write !== undefined && numbering !== undefined) throw new Error("only replaceBudget draws numbers");
  const commit: BudgetCommit = { budget, expectedVersion: current.version, events, idempotencyRecord };
  const quota = change.ignoresQuota === true ? undefined : context.quota;
  const outcome =
    change.write === undefined
      ? await context.store.replaceBudget(budget, current.version, events, idempotencyRecord, quota, numbering)
      : await change.write(commit, decision);
  if (outcome === "claim-lost") return err(claimLost);
  if (outcome === "quota-exceeded") {
    return err(await quotaExceeded(context.store, actor.businessId, context.quota, false));
  }
  if (outcome === "stale" || outcome === "taken") return STALE;
  fillNumber(outcome, numbering, view, events);
  await context.announce(events);
  return ok(view);
}

/** A budget that is sent, or whose terms are cleared after it was, gets what it lacks. */
async function sendingOf(
  context: BudgetContext,
  before: Budget,
  after: Budget,
  now: Instant,
): Promise<Sending<NumberDraw>> {
  const clearsTerms = after.status === "PENDING" && before.terms !== undefined && after.terms === undefined;
  return clearsTerms || isSent(before, after) ? sendBudget(context, after, now) : { budget: after };
}
