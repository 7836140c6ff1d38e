import type { PublicBudgetView } from "../../budgets/offer/public-view.js";
import { customerNameIn } from "../../kernel/actor.js";
import type { Instant } from "../../kernel/clock.js";
import { DEFAULT_ACCENT, readableAccents } from "./accent.js";
import { type PageFormats, pageFormats } from "./page-formats.js";
import { formatLocale, type LanguageWishes, PAGE_LANGUAGES, type PageLanguage, pageLanguage } from "./page-language.js";
import { type PageWords, type TextsByLanguage, wordsOf } from "./page-words.js";

/** The budget that a document shows: what its customer may see of it. */
export type ShownBudget = Omit<PublicBudgetView, "version" | "availableActions" | "publicUrl">;

/** What a budget's page and its PDF show: every text in one language, every amount and date written out. */
export interface BudgetDocument {
  /** Of every text. */
  readonly language: PageLanguage;
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
  /** The customer and the dates. */
  readonly facts: readonly DocumentFact[];
  /** Null until the customer has accepted. */
  readonly answer: DocumentAnswer | null;
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

interface DocumentFact {
  /** What it is: `Valid until`. */
  readonly term: string;
  /** The fact. */
  readonly text: string;
}

interface DocumentAnswer {
  /** Thanks the customer. */
  readonly thanks: string;
  /** Who accepted, and when. */
  readonly accepted: string;
  /** What must be paid; null = nothing. */
  readonly due: string | null;
  /** How to pay; null = the business does not say. */
  readonly payment: DocumentText | null;
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
  /** How many, with the unit. */
  readonly quantity: string;
  /** Price of one unit. */
  readonly price: string;
  /** The item's own discount; null = none. */
  readonly discount: string | null;
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
interface Source {
  readonly budget: ShownBudget;
  readonly words: PageWords;
  readonly formats: PageFormats;
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
): BudgetDocument {
  const { business, currency } = budget;
  const language = pageLanguage({ ...wishes, own: business.locale });
  const locale = formatLocale(language, business.locale);
  const words = wordsOf(language, texts[language]);
  const source = { budget, words, formats: pageFormats({ locale, currency, timeZone: business.timeZone }, now ?? 0) };
  return {
    language,
    locale,
    accentColor: business.accentColor,
    readableAccent: readableAccents(business.accentColor ?? DEFAULT_ACCENT).light,
    title: `${words.budget} ${budget.number ?? budget.id}`,
    status: budget.acceptance === null ? words.status[budget.status] : words.awaitsPayment,
    seller: sellerOf(source),
    facts: factsOf(source, now !== null),
    answer: answerOf(source),
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

function sellerOf({ budget: { business }, words }: Source): DocumentSeller {
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

function factsOf({ budget, words, formats }: Source, countsDays: boolean): DocumentFact[] {
  const { status, validUntil, customer } = budget;
  const until =
    validUntil === null
      ? null
      : status === "PENDING" && countsDays
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

/** Once the customer has accepted: who, when, and what comes next. */
function answerOf({ budget, words, formats }: Source): DocumentAnswer | null {
  const { acceptance, approval, dueToConfirm, business, status } = budget;
  const answer = acceptance ?? approval;
  if (answer === null || status === "REJECTED") return null;
  const due = acceptance === null || dueToConfirm === null ? null : formats.money(dueToConfirm);
  const instructions = business.paymentInstructions;
  return {
    thanks: words.thanks,
    accepted: words.accepted(customerNameIn(answer.acceptedBy), formats.moment(answer.acceptedAt)),
    due: due === null ? null : words.confirmedOncePaid(due),
    payment: instructions === null ? null : { title: words.payment, text: instructions },
  };
}

type Line = ShownBudget["items"][number];
type Item = Extract<Line, { readonly quantity: number }>;

function rowOf(line: Line, source: Source): DocumentRow {
  const { words, formats } = source;
  const empty = { description: "", quantity: "", price: "", discount: null, amount: "" };
  switch (line.kind) {
    case "heading":
    case "text":
      return { ...empty, ...line };
    case "subtotal":
      return {
        ...empty,
        kind: line.kind,
        description: line.description ?? words.subtotal,
        amount: formats.money(line.total),
      };
    default:
      return itemOf(line, source);
  }
}

function itemOf(item: Item, source: Source): DocumentRow {
  const { formats } = source;
  const quantity = formats.quantity(item.quantity);
  return {
    kind: "item",
    description: item.description,
    quantity: item.unit === undefined ? quantity : `${quantity} ${item.unit}`,
    price: formats.money(item.unitPrice),
    discount: discountOf(item, source),
    amount: formats.money(item.total),
  };
}

/** A discount of 0 is not shown. */
function discountOf({ discountRate = 0, discountAmount = 0 }: Item, { words, formats }: Source): string | null {
  if (discountRate === 0 && discountAmount === 0) return null;
  return `${words.discount} ${discountRate === 0 ? formats.money(-discountAmount) : formats.rate(-discountRate)}`;
}

function totalsOf({ budget, words, formats }: Source): DocumentSum[] {
  const { subtotal, discount, tax, taxRate, total, paid, minimumPaymentToConfirm } = budget;
  const taxName = taxRate === null ? words.tax : `${words.tax} (${formats.rate(taxRate)})`;
  const sum = (term: string, amount: number): DocumentSum => ({ kind: "sum", term, amount: formats.money(amount) });
  return [
    sum(words.subtotal, subtotal),
    ...(discount === 0 ? [] : [sum(words.discount, -discount)]),
    ...(taxRate === 0 ? [] : [sum(taxName, tax)]), // 0 is also the rate of a budget for which nobody set one
    { kind: "total", term: words.total, amount: formats.money(total) },
    ...(minimumPaymentToConfirm === null ? [] : [sum(words.toConfirm, minimumPaymentToConfirm)]),
    ...(paid === 0 ? [] : [sum(words.paid, paid)]),
  ];
}

function textOf(title: string, text: string | null): DocumentText[] {
  return text === null || text === "" ? [] : [{ title, text }];
}

/** The sentence beside the button with which a customer accepts. */
export function consentText({ business }: Pick<PublicBudgetView, "business">, { consent }: PageWords): string {
  return consent(business.name ?? business.legalName ?? "");
}

/** What a customer read who accepted on the page of a language. Null for a language that the page does not have. */
export function consentIn(language: string | undefined, texts: TextsByLanguage = {}) {
  const known = PAGE_LANGUAGES.find((each) => each === language);
  if (known === undefined) return () => null;
  const words = wordsOf(known, texts[known]);
  return (view: PublicBudgetView) => ({ language: known, text: consentText(view, words) });
}
