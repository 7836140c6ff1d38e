import { canonicalJson } from "../kernel/canonical-json.js";
import { sha256Hex } from "../kernel/secret-box.js";
import type { SelectedLine } from "../pricing/selection.js";
import type { Budget } from "./budget.js";

/** What the customer answered, and to which version. */
export interface CustomerAnswer {
  readonly kind: "accept" | "decline" | "requestChange";
  readonly version: number; // that was shown
  readonly by: string; // an actor's label
  readonly text: string | null; // the reason, or what should change
  readonly signature: string | null;
  readonly hash: string | null; // that was shown
  readonly selection?: readonly SelectedLine[] | undefined; // absent = none
}

/** The budget with the note of an answer, by which a repetition is recognized. */
export function noteAnswer(budget: Budget, answer: CustomerAnswer): Budget {
  return { ...budget, answerDigest: digestOf(answer) };
}

/**
 * The decided budget, without the note of an answer that no longer stands: the business or time has moved the budget since,
 * or a higher price has ended the acceptance. A payment that confirms an acceptance leaves it standing.
 */
export function dropFallenAnswer(before: Budget, after: Budget): Budget {
  const { answerDigest, ...rest } = after;
  const isOfThisChange = answerDigest !== before.answerDigest;
  return answerDigest === undefined || isOfThisChange || stands(before, after) ? after : rest;
}

function stands(before: Budget, after: Budget): boolean {
  const { acceptance } = before;
  if (before.status === after.status) return acceptance === null || after.acceptance !== null;
  return acceptance !== null && after.approvedBy === acceptance.acceptedBy;
}

/**
 * True when the answer is the last one that the customer gave, in every part of it, and stands: a second click, a form that
 * was sent again, a retry of a program. Who gives no name is told apart by nothing else.
 */
export function isRepeated(current: Budget, answer: CustomerAnswer): boolean {
  if (current.answerDigest !== digestOf(answer)) return false;
  switch (answer.kind) {
    case "accept":
      return (current.acceptance?.acceptedBy ?? current.approvedBy) === answer.by;
    case "decline":
      return current.status === "REJECTED";
    case "requestChange": // a new revision answers it
      return current.status === "PENDING" && current.changeRequests?.at(-1)?.revision === current.revision;
  }
}

function digestOf({ kind, version, by, text, signature, hash, selection }: CustomerAnswer): string {
  const chosen = selection === undefined ? [] : [selection];
  return sha256Hex(canonicalJson([kind, version, by, text, signature, hash, ...chosen]));
}
