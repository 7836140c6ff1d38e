import { isDeepStrictEqual } from "node:util";
import { err, ok, type Result } from "neverthrow";
import { at } from "../../kernel/arrays.js";
import type { Instant } from "../../kernel/clock.js";
import { fromMinor, type Minor } from "../../kernel/money.js";
import { brokenRule, type Problem } from "../../kernel/problem.js";
import type { Budget, BudgetItem } from "../budget.js";
import { moved, updated } from "../budget-event.js";
import { checkChoicesMade, minimumPaymentOf, payableOf } from "../price-figures.js";
import { findTransition } from "../transitions.js";
import type { Decision } from "./change-budget.js";

/**
 * The rules of confirmation: of the acceptance, the payment and the lower price, the last one approves the budget.
 * Source: contract, Create budget publicly, minimumPaymentToConfirm.
 */

/** The amount that must still be paid before an acceptance approves the budget; 0 = none. Never more than the total. */
export function dueToConfirm(budget: Parameters<typeof minimumPaymentOf>[0] & Pick<Budget, "paid">): Minor {
  return Math.max(0, (minimumPaymentOf(budget) ?? 0) - budget.paid);
}

/**
 * The customer's acceptance: approves the budget, or waits until enough is paid.
 * Errors: INVALID_TRANSITION, CHOICE_INCOMPLETE, ALREADY_ACCEPTED.
 */
export function decideAcceptance(
  current: Budget,
  acceptedBy: string,
  reason: string | null,
  now: Instant,
  signature: string | null = null,
): Result<Decision, Problem> {
  const { status } = current;
  const signed = signature === null ? {} : { signature };
  const move = findTransition(status, "APPROVED", "link");
  if (move.isErr()) return err(move.error);
  const chosen = checkChoicesMade(current);
  if (chosen.isErr()) return err(chosen.error);
  if (dueToConfirm(current) > 0) {
    if (current.acceptance !== null) return err(alreadyAccepted);
    const budget = { ...current, acceptance: { acceptedAt: now, acceptedBy, ...signed } };
    return ok({ budget, events: [updated(status, ["acceptance"], reason)] });
  }
  const { event, to } = move.value;
  const answered = withSignature(current, signature ?? current.acceptance?.signature);
  const budget = { ...answered, status: to, approvedAt: now, approvedBy: acceptedBy, acceptance: null };
  return ok({ budget, events: [moved(event, status, to, reason)] });
}

/** Another selection does not change an acceptance that waits for a payment. Errors: ALREADY_ACCEPTED. */
export function checkNotWaiting(current: Budget): Result<void, Problem> {
  return current.acceptance !== null && dueToConfirm(current) > 0 ? err(alreadyAccepted) : ok(undefined);
}

const alreadyAccepted = brokenRule("ALREADY_ACCEPTED", "The budget was accepted already; it waits for a payment.");

/**
 * A payment: counts in every status but DRAFT, and approves a PENDING budget whose acceptance waited for it. The payments
 * of a budget never exceed its total. Errors: NOT_PAYABLE for a draft, PAYMENT_EXCEEDS_TOTAL.
 */
export function decidePayment(current: Budget, amount: Minor, now: Instant): Result<Decision, Problem> {
  const { status, paid } = current;
  if (status === "DRAFT") {
    return err(brokenRule("NOT_PAYABLE", "A draft has not been offered yet: it takes no payments.", { status }));
  }
  if (amount > payableOf(current) - paid) {
    const message = "The payment is more than what is open: the payments of a budget never exceed its total.";
    return err(exceedsTotal(message, current, payableOf(current), { field: "amount" }));
  }
  return confirmIfPaid({ budget: { ...current, paid: paid + amount }, events: [updated(status, ["paid"])] }, now);
}

/**
 * The decision, and the approval if an acceptance waits for nothing more. The approver is the actor of the acceptance.
 */
export function confirmIfPaid(decision: Decision, now: Instant): Result<Decision, Problem> {
  const { budget, events } = decision;
  const { status, acceptance } = budget;
  if (acceptance === null || dueToConfirm(budget) > 0) return ok(decision);
  return findTransition(status, "APPROVED", "payment").map(({ event, to }) => ({
    budget: {
      ...withSignature(budget, acceptance.signature),
      status: to,
      approvedAt: now,
      approvedBy: acceptance.acceptedBy,
      acceptance: null,
    },
    events: [...events, moved(event, status, to)],
  }));
}

/** The signature of this approval alone: one of an approval that was taken back goes. */
function withSignature({ approvalSignature: _former, ...budget }: Budget, signature: string | undefined): Budget {
  return signature === undefined ? budget : { ...budget, approvalSignature: signature };
}

/** A new price must not be lower than what is paid. Errors: PAYMENT_EXCEEDS_TOTAL. */
export function checkPaid(current: Budget, edited: Budget): Result<void, Problem> {
  const payable = payableOf(edited);
  if (payable >= edited.paid || payable >= payableOf(current)) return ok(undefined);
  const message =
    "The total would be less than what is paid. Keep it at least as high, or duplicate the budget and offer the copy.";
  return err(exceedsTotal(message, current, payable));
}

/** The figures are in the major unit. */
function exceedsTotal(message: string, { currency, paid }: Budget, total: Minor, details: { field?: string } = {}) {
  return brokenRule("PAYMENT_EXCEEDS_TOTAL", message, {
    ...details,
    total: fromMinor(total, currency),
    paid: fromMinor(paid, currency),
    open: fromMinor(Math.max(0, total - paid), currency),
  });
}

/**
 * True when the customer gets the same items on the same terms for no more money. An acceptance then still stands.
 */
export function asksNoMore(before: Budget, after: Budget): boolean {
  return (
    after.total <= before.total &&
    payableOf(after) <= payableOf(before) &&
    (minimumPaymentOf(after) ?? 0) <= (minimumPaymentOf(before) ?? 0) &&
    recursForNoMore(before.recurring, after.recurring) &&
    after.notes === before.notes &&
    after.terms === before.terms &&
    after.validUntil === before.validUntil &&
    isDeepStrictEqual(before.items.map(withoutFigures), after.items.map(withoutFigures))
  );
}

function withoutFigures(item: BudgetItem) {
  const { unitPrice, unitCost, discountRate, discountAmount, gross, total, discount, tax, ...terms } = item;
  return terms;
}

/** Whether the same lines recur, and no later cycle costs more. */
function recursForNoMore(before: Budget["recurring"] = [], after: Budget["recurring"] = []): boolean {
  return before.length === after.length && before.every(({ total }, index) => at(after, index).total <= total);
}
