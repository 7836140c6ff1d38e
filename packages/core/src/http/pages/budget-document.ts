import type { Instant } from "../../kernel/clock.js";
import { DEFAULT_ACCENT, readableAccents } from "./accent.js";
import { answerOf, NO_PROOF, signedOf } from "./document-acceptance.js";
import type {
  BudgetDocument,
  DocumentCustomer,
  DocumentFact,
  DocumentProof,
  DocumentSeller,
  DocumentSource,
  DocumentText,
  ShownBudget,
} from "./document-parts.js";
import { orderedRows } from "./document-rows.js";
import { depositOf, sumOf, totalsOf } from "./document-totals.js";
import { type PageFormats, pageFormats } from "./page-formats.js";
import { directionOf, formatLocale, type LanguageWishes, type PageLanguage, pageLanguage } from "./page-language.js";
import { type PageWords, type TextsByLanguage, wordsOf } from "./page-words.js";
import { pricedOffer } from "./priced-offer.js";
import { shownLines } from "./shown-figures.js";
import { taxNameIn } from "./tax-name.js";

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
  const source = documentSource(budget, language, words, formats);
  const facts = factsOf(source, now !== null);
  return {
    language,
    direction: directionOf(language),
    locale,
    accentColor: business.accentColor,
    readableAccent: readableAccents(business.accentColor ?? DEFAULT_ACCENT).light,
    title: `${words.budget} ${budget.number ?? budget.id}`,
    status: statusOf(budget, words),
    seller: sellerOf(source),
    customer: customerOf(source),
    facts,
    validUntil: facts.find(({ term }) => term === words.validUntil) ?? null,
    deposit: depositOf(source),
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
    rows: orderedRows(source),
    totals: totalsOf(source),
    texts: [...textOf(words.notes, budget.notes), ...textOf(words.terms, business.terms)],
    footer: business.footer,
    pageLabel: words.pageLabel,
  };
}

/** What the parts of a document are written from. */
export function documentSource(
  budget: ShownBudget,
  language: PageLanguage,
  words: PageWords,
  formats: PageFormats,
): DocumentSource {
  const { items, currency, business } = budget;
  const offered = pricedOffer(budget)?.figures.items ?? [];
  const figures = items.map((line, index) => ({ ...figuresIn(line), offered: offered[index]?.offered }));
  const taxName = taxNameIn(language, business.locale, words, wordsOf(language));
  return { budget, words, formats, taxName, lines: shownLines(items, figures, currency) };
}

function figuresIn(line: ShownBudget["items"][number]) {
  if (line.kind === "subtotal") return { total: line.total };
  return line.kind === undefined ? { total: line.total, gross: line.gross } : {};
}

function statusOf({ acceptance, status, paid }: ShownBudget, words: PageWords): string {
  if (acceptance !== null) return words.awaitsPayment;
  return status === "APPROVED" && paid > 0 ? words.confirmed : words.status[status];
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
export const FEW_DAYS = 14;

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

function textOf(title: string, text: string | null): DocumentText[] {
  return text === null || text === "" ? [] : [{ title, text }];
}
