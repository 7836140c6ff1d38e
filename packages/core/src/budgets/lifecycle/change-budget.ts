import { err, ok, type Result } from "neverthrow";
import { matchCommitted } from "../../commit/match-committed.js";
import { claimLost, refuseStaleVersion } from "../../idempotency/write-options.js";
import type { Actor } from "../../kernel/actor.js";
import { at } from "../../kernel/arrays.js";
import type { Instant } from "../../kernel/clock.js";
import { notFound, type Problem } from "../../kernel/problem.js";
import { keepsChanging, retryOnConflict, STALE } from "../../kernel/retry-on-conflict.js";
import { quotaExceeded } from "../../limits/storage-quota.js";
import type { Budget } from "../budget.js";
import { describeChanges } from "../budget-changes.js";
import { changeBudgetCommit, withReminderCheck } from "../budget-commits.js";
import type { BudgetContext, WriteOptions } from "../budget-context.js";
import { budgetEventOf, type EventDraft } from "../budget-event.js";
import type { Summaries } from "../budget-view.js";
import { noteSent, notNumbered, prepareSending, type Sending } from "../first-sending.js";
import { type Mail, mailEntryOf } from "../mail.js";
import { noteDeclined } from "../note-declined.js";
import { commitTelling, mailsOf, noticesOf } from "../notices/notices.js";
import { isOverdue } from "../overdue.js";
import type { Payment } from "../payment.js";
import { customersOf } from "../references/summaries.js";
import { dropFallenAnswer } from "../repeated-answer.js";
import { isOfferedByLink, isSent, reviseBudget } from "../revision.js";
import { expireOverdue } from "./expire-budgets.js";

/** The decision of a rule, as data: one commit writes all of it. changeBudget sets the version of the budget. */
export interface Decision {
  readonly budget: Budget;
  readonly events: readonly EventDraft[];
  readonly payment?: Payment; // written with the budget
  readonly mail?: Mail; // queued with the budget, with its audit entry
  readonly leavesBudget?: boolean; // true = a mail of a budget that stays as it is stored
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
  readonly ignoresQuota?: boolean; // for deletions, payments and the customer's answers
  readonly meetsDeleted?: boolean; // only restore changes deleted budgets
  readonly attempts?: number; // default: that of retryOnConflict
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

/** Commits one decision with its revision, version and events. Another writer can make it stale. */
async function commitDecision<View, D extends Decision>(
  context: BudgetContext,
  actor: Actor,
  current: Budget,
  decision: D,
  { now, claim, imported }: WriteOptions & { readonly now: Instant },
  change: BudgetChange<View, D>,
): Promise<Result<View, Problem> | typeof STALE> {
  const decided = noteDeclined(current, decision.budget, actor, decision.events, now);
  const revised = reviseBudget(current, dropFallenAnswer(current, decided), actor, now);
  const next = noteSent(current, { ...revised, version: current.version + 1, updatedAt: now }, now);
  const [summaries, { budget, numbering }] = await Promise.all([
    customersOf(context, actor.businessId, [next]),
    imported === undefined ? sendingOf(context, current, next, now) : notNumbered(next),
  ]);
  const ids = await context.ids.take(actor.businessId, decision.events.length);
  const changes = describeChanges(current, budget, summaries, actor);
  const events = decision.events.map((draft, index) =>
    budgetEventOf(draft, at(ids, index), budget, summaries, actor, now, changes),
  );
  const result = change.present(budget, summaries, actor, decision);
  const written = decision.leavesBudget === true ? current : budget;
  const changed = changeBudgetCommit(decision, written, current.version, {
    events,
    audit: decision.mail === undefined ? [] : [await mailEntryOf(context.ids, actor, decision.mail)],
    quota: change.ignoresQuota === true ? null : context.quota,
    numbering,
  });
  const isChecked = context.mailing !== null && imported === undefined && isOfferedByLink(current, written);
  const commit = isChecked ? withReminderCheck(changed, budget.id, now) : changed;
  const notices = imported === undefined ? noticesOf(current, written, actor, decision.events) : [];
  const mails = await mailsOf(context, written, actor, notices, now);
  const committed = await commitTelling(context, commit, mails, { claim, result });
  const number = committed.kind === "written" ? committed.number : null;
  const outcome = matchCommitted(committed, {
    written: () => ok(number === null ? result : change.present({ ...budget, number }, summaries, actor, decision)),
    stale: () => STALE,
    reference: () => STALE, // the payment was recorded meanwhile: decided again, it is a repeated one
    "claim-lost": () => err(claimLost),
    "quota-exceeded": async () => err(await quotaExceeded(context.store, actor.businessId, context.quota, false)),
  });
  return outcome();
}

/** A budget that is sent, or whose terms are cleared after it was, gets what it lacks. */
async function sendingOf(context: BudgetContext, before: Budget, after: Budget, now: Instant): Promise<Sending> {
  const clearsTerms = after.status === "PENDING" && before.terms !== undefined && after.terms === undefined;
  return clearsTerms || isSent(before, after) ? prepareSending(context, after, now) : notNumbered(after);
}
