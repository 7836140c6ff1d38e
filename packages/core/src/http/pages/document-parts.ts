import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import type { PageFormats } from "./page-formats.js";
import type { Direction, PageLanguage } from "./page-language.js";
import type { PageWords } from "./page-words.js";
import type { ShownLines } from "./shown-figures.js";

/** The budget that a document shows: what its customer may see of it. */
export type ShownBudget = Omit<PublicBudgetView, "version" | "availableActions" | "publicUrl">;

/** What a budget's page and its PDF show: every text in one language, every amount and date written out. */
export interface BudgetDocument {
  /** Of every text. */
  readonly language: PageLanguage;
  /** Of every text. */
  readonly direction: Direction;
  /** Of amounts and dates, such as `es-AR`. */
  readonly locale: string;
  /** The accent color of the business, as `#rrggbb`; null = it has chosen none. */
  readonly accentColor: string | null;
  /** The accent, or that of the service, dark enough for text on white. */
  readonly readableAccent: string;
  /** Names the document: `Quote 42`. */
  readonly title: string;
  /** Where the budget stands in its life. */
  readonly status: string;
  /** Who makes the offer. */
  readonly seller: DocumentSeller;
  /** Whom the offer is for. */
  readonly customer: DocumentCustomer;
  /** The customer and the dates. */
  readonly facts: readonly DocumentFact[];
  /** Until when the offer holds: one of the facts; null = without an end. */
  readonly validUntil: DocumentFact | null;
  /** The least payment that confirms the offer; null = none, or it is paid. */
  readonly deposit: DocumentFact | null;
  /** The amount to pay, with what it includes. */
  readonly sum: DocumentSum;
  /** Null until the customer has accepted. */
  readonly answer: DocumentAnswer | null;
  /** The acceptance in the document; null = none. */
  readonly signed: DocumentSignature | null;
  /** The customer's page; null = none, or not for the reader of this document. */
  readonly link: string | null;
  /** The title of the table. */
  readonly itemsTitle: string;
  /** The titles of its columns. */
  readonly columns: DocumentColumns;
  /** The rows of the table. */
  readonly rows: readonly DocumentRow[];
  /** From the subtotal to the payments. */
  readonly totals: readonly DocumentSum[];
  /** Notes and terms. */
  readonly texts: readonly DocumentText[];
  /** Null = none. */
  readonly footer: string | null;
  /** The number of a printed page, with `{page}` and `{pages}`. */
  readonly pageLabel: string;
}

export interface DocumentSeller {
  /** Null = not given, as for every field. */
  readonly name: string | null;
  /** The registered name. */
  readonly legalName: string | null;
  /** With its title. */
  readonly taxId: string | null;
  /** May have several lines. */
  readonly address: string | null;
  /** Email address. */
  readonly email: string | null;
  /** As the business wrote it. */
  readonly phone: string | null;
  /** An http or https URL. */
  readonly website: string | null;
}

export interface DocumentCustomer {
  /** Null = not known, as for every field. */
  readonly name: string | null;
  /** May have several lines. */
  readonly address: string | null;
  /** With its title. */
  readonly taxId: string | null;
}

export interface DocumentFact {
  /** What it is: `Valid until`. */
  readonly term: string;
  /** The fact. */
  readonly text: string;
}

export interface DocumentColumns {
  /** Of what is offered. */
  readonly description: string;
  /** Of how many. */
  readonly quantity: string;
  /** Of the price of one unit. */
  readonly price: string;
  /** Of the amount of the row. */
  readonly amount: string;
}

/** A row of the table. A column is empty where the kind has nothing to say in it. */
export interface DocumentRow {
  /** A heading begins a section, a text explains, a subtotal sums the section, and a choice stands above its options. */
  readonly kind: "item" | "heading" | "text" | "subtotal" | "choice";
  /** What is offered; may have several lines. */
  readonly description: string;
  /** The first line of what is offered. */
  readonly name: string;
  /** The other lines; empty = none. */
  readonly details: string;
  /** How many, with the unit. */
  readonly quantity: string;
  /** Price of one unit. */
  readonly price: string;
  /** The item's own discount; null = none. */
  readonly discount: string | null;
  /** What the amount would be without it; null = it has none. */
  readonly undiscounted: string | null;
  /** Amount of the row; of a line that is not selected, what it would be. */
  readonly amount: string;
  /** Whether the line is selected; null = the customer does not decide it. */
  readonly isSelected: boolean | null;
  /** True = an option of the choice above. */
  readonly isOption: boolean;
  /** What the customer may set or has chosen, further prices, and cycles: one line each. */
  readonly notes: readonly string[];
}

export interface DocumentSum {
  /** `total` is the amount to pay, and stands out. */
  readonly kind: "sum" | "total";
  /** What it is: `Subtotal`. */
  readonly term: string;
  /** With its currency. */
  readonly amount: string;
}

export interface DocumentText {
  /** Stands above the text. */
  readonly title: string;
  /** May have several lines. */
  readonly text: string;
}

/** The parts of a document are written from these. */
export interface DocumentSource {
  readonly budget: ShownBudget;
  readonly words: PageWords;
  readonly formats: PageFormats;
  readonly taxName: string;
  readonly lines: ShownLines;
}

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
