import { isDeepStrictEqual } from "node:util";
import { type Actor, actorLabel } from "../kernel/actor.js";
import type { Instant } from "../kernel/clock.js";
import type { Budget } from "./budget.js";

/** What a budget offers, and what is locked once it was answered. */
const CONTENT = ["items", "taxRate", "discount", "tax", "validUntil", "notes"] as const;

/** The fields of the content in which two states of a budget differ. */
export function contentChanges(before: Budget, after: Budget): string[] {
  return CONTENT.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

/**
 * The budget with its revision, which is one greater when the content changed, or when the customer is asked once more
 * about what they were asked before. The first time that a draft is submitted asks about the revision that is there.
 */
export function reviseBudget(before: Budget, after: Budget, actor: Actor, now: Instant): Budget {
  const content = contentChanges(before, after);
  const isSent = after.status === "PENDING" && SENT_FROM.has(before.status);
  const isAskedAnew = isSent && before.revised.asked;
  if (content.length > 0 || isAskedAnew) {
    const changes = isAskedAnew ? [...content, "status"] : content;
    const revised = { at: now, by: actorLabel(actor), changes, asked: after.status !== "DRAFT" };
    return { ...after, revision: before.revision + 1, revised };
  }
  return isSent ? { ...after, revised: { ...before.revised, asked: true } } : after;
}

/** From where a move to PENDING asks the customer; a budget that is restored goes on waiting. */
const SENT_FROM: ReadonlySet<Budget["status"]> = new Set(["DRAFT", "APPROVED", "REJECTED", "EXPIRED"] as const);
