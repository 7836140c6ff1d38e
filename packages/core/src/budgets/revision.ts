import { isDeepStrictEqual } from "node:util";
import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { Budget, BudgetItem } from "./budget.js";

/** The offer: these fields are locked after an answer. */
const CONTENT = ["items", "taxRate", "taxes", "discount", "tax", "deposit", "validUntil", "notes", "terms"] as const;

/** The content fields in which two states of a budget differ. */
export function contentChanges(before: Budget, after: Budget): string[] {
  const [from, to] = [offered(before), offered(after)];
  return CONTENT.filter((field) => !isDeepStrictEqual(from[field], to[field]));
}

/** Whether what the budget costs the business stays the same, line by line. It is no part of the offer. */
export function haveSameCosts(before: Budget, after: Budget): boolean {
  return before.items === after.items || isDeepStrictEqual(before.items.map(costOf), after.items.map(costOf));
}

function costOf({ unitCost }: BudgetItem): number | undefined {
  return unitCost;
}

/** The budget without what its lines cost the business. Most have no such lines, and are not copied. */
function offered(budget: Budget): Budget {
  if (budget.items.every(({ unitCost }) => unitCost === undefined)) return budget;
  return { ...budget, items: budget.items.map(({ unitCost: _internal, ...item }) => item) };
}

/**
 * Sets the revision. It grows when the content changes, or when the customer is asked again about the same content. The
 * first submission of a draft keeps its revision.
 */
export function reviseBudget(before: Budget, after: Budget, actor: Actor, now: Instant): Budget {
  const content = contentChanges(before, after);
  const sent = isSent(before, after);
  const isAskedAgain = sent && before.revised.asked;
  if (content.length > 0 || isAskedAgain) {
    const changes = isAskedAgain ? [...content, "status"] : content;
    const revised = { at: now, by: actorLabel(actor), changes, asked: after.status !== "DRAFT" };
    return { ...after, revision: before.revision + 1, revised };
  }
  return sent ? { ...after, revised: { ...before.revised, asked: true } } : after;
}

/** Whether the change sends the budget to the customer. */
export function isSent(before: Budget, after: Budget): boolean {
  return after.status === "PENDING" && SENT_FROM.has(before.status);
}

/** Whether the customer can answer by the link from now on; `before`: null = the budget is new. */
export function isOfferedByLink(before: Budget | null, after: Budget): boolean {
  const { publicTokenHash, status } = after;
  if (publicTokenHash === null || status !== "PENDING") return false;
  return before === null || before.publicTokenHash !== publicTokenHash || isSent(before, after);
}

/** A move to PENDING from one of these asks the customer. A restored budget (from DELETED) was asked already. */
const SENT_FROM: ReadonlySet<Budget["status"]> = new Set(["DRAFT", "APPROVED", "REJECTED", "EXPIRED"] as const);
