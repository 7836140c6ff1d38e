import { customerNameIn } from "../../kernel/actor.js";
import type { DocumentAnswer, DocumentProof, DocumentSignature, ShownBudget } from "./document-parts.js";
import { isolatedIn, isRightToLeft } from "./isolate.js";
import type { PageFormats } from "./page-formats.js";
import type { Direction } from "./page-language.js";
import type { PageWords } from "./page-words.js";

export const NO_PROOF: DocumentProof = { link: null, evidenceHash: null };

/** Once the customer has accepted: who, when, and what comes next. */
export function answerOf(
  budget: ShownBudget,
  words: PageWords,
  formats: PageFormats,
  direction: Direction,
): DocumentAnswer | null {
  const { acceptance, dueToConfirm, business, payable = budget.total } = budget;
  const answer = acceptanceIn(budget);
  if (answer === null) return null;
  const due = acceptance === null || dueToConfirm === null ? null : formats.money(dueToConfirm);
  const name = customerNameIn(answer.acceptedBy);
  const instructions = business.paymentInstructions;
  return {
    thanks: words.thanks,
    accepted: words.accepted(name === null ? null : isolatedIn(direction, name), formats.moment(answer.acceptedAt)),
    due: due === null ? null : budget.paid > 0 ? words.confirmedOncePaid(due) : words.confirmedWhenPaid(due),
    payment: instructions === null || budget.paid >= payable ? null : { title: words.payment, text: instructions },
  };
}

/** The acceptance that stands. */
export function acceptanceIn({ acceptance, approval, status }: ShownBudget) {
  return status === "REJECTED" ? null : (acceptance ?? approval);
}

export function signedOf(
  budget: ShownBudget,
  formats: PageFormats,
  evidenceHash: string | null,
): DocumentSignature | null {
  const acceptance = acceptanceIn(budget);
  if (acceptance === null) return null;
  const { acceptedBy, acceptedAt } = acceptance;
  const signature = budget.signature ?? null;
  return { name: customerNameIn(acceptedBy), at: formats.moment(acceptedAt), signature, evidenceHash };
}

/** An amount with its term, whose sign stays before it. */
export function termWith(term: string, amount: string): string {
  return `${term} ${isRightToLeft(term) ? `\u2068${amount}\u2069` : amount}`;
}
