import { err, ok, type Result } from "neverthrow";
import type { Instant } from "../kernel/clock.js";
import { MAX_MINOR, type Minor } from "../kernel/money.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { Budget } from "./budget.js";
import type { EventDraft } from "./budget-event.js";
import type { Decision } from "./change-budget.js";
import { findTransition } from "./transitions.js";

/**
 * How an acceptance and payments confirm a budget: whichever comes last approves it. Pure.
 * Source: contract, Create budget publicly, minimumPaymentToConfirm.
 */

/** What is still to be paid before an acceptance approves the budget; 0 = nothing. */
export function dueToConfirm({ publicOffer, paid }: Pick<Budget, "publicOffer" | "paid">): Minor {
  return Math.max(0, (publicOffer?.minimumPaymentToConfirm ?? 0) - paid);
}

/**
 * The customer's acceptance: it approves, or waits while too little has been paid.
 * Errors: INVALID_TRANSITION, ALREADY_ACCEPTED.
 */
export function decideAcceptance(
  current: Budget,
  acceptedBy: string,
  reason: string | null,
  now: Instant,
): Result<Decision, Problem> {
  const { status } = current;
  const move = findTransition(status, "APPROVED", "link");
  if (move.isErr()) return err(move.error);
  if (current.acceptance !== null) {
    return err(brokenRule("ALREADY_ACCEPTED", "The budget was accepted already; it waits for a payment."));
  }
  if (dueToConfirm(current) > 0) {
    const waits: EventDraft = { type: "budget.updated", fields: ["acceptance"], from: status, to: status, reason };
    return ok({ budget: { ...current, acceptance: { acceptedAt: now, acceptedBy } }, events: [waits] });
  }
  const approved: EventDraft = { type: move.value.event, fields: ["status"], from: status, to: "APPROVED", reason };
  return ok({
    budget: { ...current, status: "APPROVED", approvedAt: now, approvedBy: acceptedBy },
    events: [approved],
  });
}

/**
 * A payment: it counts in every status that has been offered, and approves a PENDING budget whose acceptance waited for
 * it, in the name of whoever accepted. Errors: NOT_PAYABLE for a draft, AMOUNT_TOO_LARGE.
 */
export function decidePayment(current: Budget, amount: Minor, now: Instant): Result<Decision, Problem> {
  const { status, acceptance } = current;
  if (status === "DRAFT") {
    return err(brokenRule("NOT_PAYABLE", "A draft has not been offered yet: it takes no payments.", { status }));
  }
  if (amount > MAX_MINOR - current.paid) {
    const message = "The payments together are more than the service can hold exactly.";
    return err(brokenRule("AMOUNT_TOO_LARGE", message, { field: "amount" }));
  }
  const budget: Budget = { ...current, paid: current.paid + amount };
  const counted: EventDraft = { type: "budget.updated", fields: ["paid"], from: status, to: status, reason: null };
  if (acceptance === null || dueToConfirm(budget) > 0) return ok({ budget, events: [counted] });
  return findTransition(status, "APPROVED", "payment").map(({ event, to }) => ({
    budget: { ...budget, status: to, approvedAt: now, approvedBy: acceptance.acceptedBy, acceptance: null },
    events: [counted, { type: event, fields: ["status"], from: status, to, reason: null }],
  }));
}
