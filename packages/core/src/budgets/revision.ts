import { isDeepStrictEqual } from "node:util";
import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { Budget } from "./budget.js";

/** The offer: these fields are locked after an answer. */
const CONTENT = ["items", "taxRate", "discount", "tax", "validUntil", "notes", "terms"] as const;

/** The content fields in which two states of a budget differ. */
export function contentChanges(before: Budget, after: Budget): string[] {
  return CONTENT.filter((field) => !isDeepStrictEqual(before[field], after[field]));
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

/** A move to PENDING from one of these asks the customer. A restored budget (from DELETED) was asked already. */
const SENT_FROM: ReadonlySet<Budget["status"]> = new Set(["DRAFT", "APPROVED", "REJECTED", "EXPIRED"] as const);
