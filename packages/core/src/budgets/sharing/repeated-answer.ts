import { canonicalJson } from "../../kernel/canonical-json.js";
import { sha256Hex } from "../../kernel/secret-box.js";
import type { Budget } from "../budget.js";

/** What the customer answered, and to which version. */
export interface CustomerAnswer {
  readonly kind: "accept" | "decline" | "requestChange";
  readonly version: number; // that was shown
  readonly by: string; // an actor's label
  readonly text: string | null; // why declined, or what should change; null of an acceptance
}

/** The budget with the note of an answer, by which a repetition is recognized. */
export function noteAnswer(budget: Budget, answer: CustomerAnswer): Budget {
  return { ...budget, answerDigest: digestOf(answer) };
}

/**
 * True when the answer is the last one that the customer gave, and stands: a second click, a form that was sent again, a
 * retry of a program. An acceptance that was reopened, or a rejection that was offered again, no longer stands.
 */
export function isRepeated(current: Budget, answer: CustomerAnswer): boolean {
  if (current.answerDigest !== digestOf(answer)) return false;
  switch (answer.kind) {
    case "accept":
      return (current.acceptance?.acceptedBy ?? current.approvedBy) === answer.by;
    case "decline":
      return current.status === "REJECTED";
    case "requestChange":
      return true;
  }
}

function digestOf({ kind, version, by, text }: CustomerAnswer): string {
  return sha256Hex(canonicalJson([kind, version, by, text]));
}
