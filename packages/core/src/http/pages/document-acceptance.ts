import { customerNameIn } from "../../kernel/actor.js";
import type { DocumentText, ShownBudget } from "./budget-document.js";
import { isolated, isRightToLeft } from "./isolated.js";
import type { PageFormats } from "./page-formats.js";
import type { Direction } from "./page-language.js";
import type { PageWords } from "./page-words.js";

export interface DocumentAnswer {
  /** Thanks the customer. */
  readonly thanks: string;
  /** Who accepted, and when. */
  readonly accepted: string;
  /** What must be paid; null = nothing. */
  readonly due: string | null;
  /** How to pay; null = the business does not say. */
  readonly payment: DocumentText | null;
}

export interface DocumentSignature {
  /** As the customer gave it; null = the business accepted in the customer's place. */
  readonly name: string | null;
  /** When, written out. */
  readonly at: string;
  /** The path of an SVG of 600 by 200; null = not drawn. */
  readonly signature: string | null;
  /** SHA-256 of the evidence, in hexadecimal; null = there is none. */
  readonly evidenceHash: string | null;
}

/** What a document has beside the offer; null = not for this reader, or none. */
export interface DocumentProof {
  readonly link: string | null;
  readonly evidenceHash: string | null;
}

export const NO_PROOF: DocumentProof = { link: null, evidenceHash: null };
/** Once the customer has accepted: who, when, and what comes next. */
export function answerOf(
  budget: ShownBudget,
  words: PageWords,
  formats: PageFormats,
  direction: Direction,
): DocumentAnswer | null {
  const { acceptance, dueToConfirm, business } = budget;
  const answer = acceptanceIn(budget);
  if (answer === null) return null;
  const due = acceptance === null || dueToConfirm === null ? null : formats.money(dueToConfirm);
  const name = customerNameIn(answer.acceptedBy);
  const instructions = business.paymentInstructions;
  return {
    thanks: words.thanks,
    accepted: words.accepted(name === null ? null : isolated(name, direction), formats.moment(answer.acceptedAt)),
    due: due === null ? null : budget.paid > 0 ? words.confirmedOncePaid(due) : words.confirmedWhenPaid(due),
    payment: instructions === null ? null : { title: words.payment, text: instructions },
  };
}

/** The acceptance that stands. */
function acceptanceIn({ acceptance, approval, status }: ShownBudget) {
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
