import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import type { Instant } from "../../kernel/clock.js";
import { DEFAULT_ACCENT, readableAccents } from "./accent.js";
import {
  answerOf,
  type DocumentAnswer,
  type DocumentProof,
  type DocumentSignature,
  NO_PROOF,
  signedOf,
} from "./document-acceptance.js";
import { rowOf } from "./document-rows.js";
import { type PageFormats, pageFormats } from "./page-formats.js";
import {
  type Direction,
  directionOf,
  formatLocale,
  type LanguageWishes,
  type PageLanguage,
  pageLanguage,
} from "./page-language.js";
import { type PageWords, type TextsByLanguage, wordsOf } from "./page-words.js";
import { taxNameIn } from "./tax-name.js";

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

interface DocumentCustomer {
  /** Null = not known, as for every field. */
  readonly name: string | null;
  /** May have several lines. */
  readonly address: string | null;
  /** With its title. */
  readonly taxId: string | null;
}

interface DocumentFact {
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
  /** A heading begins a section, a text explains, and a subtotal sums the section. */
  readonly kind: "item" | "heading" | "text" | "subtotal";
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
  /** Amount of the row. */
  readonly amount: string;
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
}

/**
 * The document of a budget. `now` adds how many days are left to accept it; null = a document that is the same at any
 * time.
 */
export function budgetDocument(
  budget: ShownBudget,
  wishes: Omit<LanguageWishes, "own">,
  now: Instant | null,
  texts: TextsByLanguage = {},
  { link, evidenceHash }: DocumentProof = NO_PROOF,
): BudgetDocument {
  const { business, currency } = budget;
  const language = pageLanguage({ ...wishes, own: business.locale });
  const locale = formatLocale(language, business.locale, wishes.accepted);
  const words = wordsOf(language, texts[language]);
  const formats = pageFormats({ locale, currency, timeZone: business.timeZone }, now ?? 0);
  const taxName = taxNameIn(language, business.locale, words, wordsOf(language));
  const source = { budget, words, formats, taxName };
  const facts = factsOf(source, now !== null);
  return {
    language,
    direction: directionOf(language),
    locale,
    accentColor: business.accentColor,
    readableAccent: readableAccents(business.accentColor ?? DEFAULT_ACCENT).light,
    title: `${words.budget} ${budget.number ?? budget.id}`,
    status: budget.acceptance === null ? words.status[budget.status] : words.awaitsPayment,
    seller: sellerOf(source),
    customer: customerOf(source),
    facts,
    validUntil: facts.find(({ term }) => term === words.validUntil) ?? null,
    sum: sumOf(source),
    answer: answerOf(budget, words, formats, directionOf(language)),
    signed: signedOf(budget, formats, evidenceHash),
    link,
    itemsTitle: words.items,
    columns: {
      description: words.description,
      quantity: words.quantity,
      price: words.price,
      amount: words.amount,
    },
    rows: budget.items.map((line) => rowOf(line, source)),
    totals: totalsOf(source),
    texts: [...textOf(words.notes, budget.notes), ...textOf(words.terms, business.terms)],
    footer: business.footer,
    pageLabel: words.pageLabel,
  };
}

function sellerOf({ budget: { business }, words }: DocumentSource): DocumentSeller {
  const { name, legalName, taxId, address, email, phone, website } = business;
  return {
    name,
    legalName,
    taxId: taxId === null ? null : `${words.taxId} ${taxId}`,
    address,
    email,
    phone,
    website,
  };
}

function customerOf({ budget: { customer }, words }: DocumentSource): DocumentCustomer {
  const { name, address = null, taxId = null } = customer;
  return { name, address, taxId: taxId === null ? null : `${words.taxId} ${taxId}` };
}

/** Above this number of days the end of the validity is a date alone. */
const FEW_DAYS = 14;

function factsOf({ budget, words, formats }: DocumentSource, countsDays: boolean): DocumentFact[] {
  const { status, validUntil, customer } = budget;
  const until =
    validUntil === null
      ? null
      : status === "PENDING" && countsDays && formats.daysUntil(validUntil) <= FEW_DAYS
        ? `${formats.day(validUntil)} (${formats.distance(validUntil)})`
        : formats.day(validUntil);
  return [
    ...factOf(words.for, customer.name),
    ...factOf(words.issued, formats.day(budget.issueDate)),
    ...factOf(words.validUntil, until),
  ];
}

function factOf(term: string, text: string | null): DocumentFact[] {
  return text === null ? [] : [{ term, text }];
}

function totalsOf(source: DocumentSource): DocumentSum[] {
  const { budget, words, formats } = source;
  const { subtotal, discount, tax, total, paid, minimumPaymentToConfirm } = budget;
  const sum = (term: string, amount: number): DocumentSum => ({ kind: "sum", term, amount: formats.price(amount) });
  return [
    sum(words.subtotal, subtotal),
    ...(discount === 0 ? [] : [sum(words.discount, -discount)]),
    ...(tax === 0 ? [] : [sum(taxOf(source), tax)]),
    { kind: "total", term: words.total, amount: formats.money(total) },
    ...(minimumPaymentToConfirm === null ? [] : [sum(words.toConfirm, minimumPaymentToConfirm)]),
    ...(paid === 0 ? [] : [sum(words.paid, paid)]),
  ];
}

/** The tax with its rate, if it was given by one: `IVA 21 %`. */
function taxOf({ budget: { taxRate }, formats, taxName }: DocumentSource): string {
  return taxRate === null || taxRate === 0 ? taxName : `${taxName} ${formats.rate(taxRate)}`;
}

function sumOf(source: DocumentSource): DocumentSum {
  const { budget, words, formats } = source;
  const term = budget.tax === 0 ? words.total : words.totalWith(taxOf(source));
  return { kind: "total", term, amount: formats.money(budget.total) };
}

function textOf(title: string, text: string | null): DocumentText[] {
  return text === null || text === "" ? [] : [{ title, text }];
}
