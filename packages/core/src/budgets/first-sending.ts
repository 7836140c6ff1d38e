import { makeBlank } from "../commit/blank.js";
import type { Numbering } from "../commit/numbering.js";
import type { Instant } from "../kernel/clock.js";
import { placeIn, seriesAt } from "../kernel/number-pattern.js";
import type { Budget } from "./budget.js";
import type { BudgetContext } from "./budget-context.js";

/** The budget as it is sent. */
export interface Sending {
  readonly budget: Budget;
  readonly numbering: Numbering | null; // null = its commit gives it no number
}

/**
 * Gives a budget what it lacks when it becomes PENDING: the next number of the business's pattern, and a copy of the
 * business's terms, so that a later change of the profile does not change what the customer was sent.
 */
export async function prepareSending(
  context: Pick<BudgetContext, "findBusiness" | "random">,
  budget: Budget,
  now: Instant,
): Promise<Sending> {
  if (budget.number !== undefined && budget.terms !== undefined) return notNumbered(budget);
  const seller = await context.findBusiness(budget.businessId);
  if (seller === null) return notNumbered(budget);
  const { terms, numberPattern } = seller.profile;
  const withTerms =
    budget.terms !== undefined || terms === null ? budget : { ...budget, terms, hasTermsOfBusiness: true as const };
  if (budget.number !== undefined || numberPattern === null) return notNumbered(withTerms);
  const blank = makeBlank(context.random);
  const series = seriesAt(numberPattern, now, seller.timeZone);
  return { budget: { ...withTerms, number: blank }, numbering: { kind: "draw", series, blank } };
}

/** A budget of an import, with its number, which the commit keeps. */
export async function keepNumber(
  context: Pick<BudgetContext, "findBusiness">,
  budget: Budget,
  number: string | null,
): Promise<Sending> {
  if (number === null) return notNumbered(budget);
  const pattern = (await context.findBusiness(budget.businessId))?.profile.numberPattern ?? null;
  const place = pattern === null ? null : placeIn(pattern, number);
  return { budget: { ...budget, number }, numbering: { kind: "keep", number, place } };
}

/** The budget whose commit gives it no number. */
export function notNumbered(budget: Budget): Sending {
  return { budget, numbering: null };
}

/** Notes when a budget that was a draft is first sent; of a withdrawn one that it was sent when it was created. */
export function noteSent(before: Budget, after: Budget, now: Instant): Budget {
  if (after.sentAt !== undefined) return after;
  if (before.status === "DRAFT" && after.status === "PENDING") return { ...after, sentAt: now };
  if (before.status === "PENDING" && after.status === "DRAFT") return { ...after, sentAt: before.createdAt };
  return after;
}
