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
  DocumentSum,
  DocumentText,
  ShownBudget,
} from "./document-parts.js";
import { rowOf } from "./document-rows.js";
import { pageFormats } from "./page-formats.js";
import { directionOf, formatLocale, type LanguageWishes, pageLanguage } from "./page-language.js";
import { type PageWords, type TextsByLanguage, wordsOf } from "./page-words.js";
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
    rows: budget.items.map((line) => rowOf(line, source)),
    totals: totalsOf(source),
    texts: [...textOf(words.notes, budget.notes), ...textOf(words.terms, business.terms)],
    footer: business.footer,
    pageLabel: words.pageLabel,
  };
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

function depositOf({ budget: { minimumPaymentToConfirm: minimum, paid }, words, formats }: DocumentSource) {
  return minimum === null || paid >= minimum ? null : { term: words.deposit, text: formats.price(minimum) };
}

function totalsOf(source: DocumentSource): DocumentSum[] {
  const { budget, words, formats } = source;
  const { subtotal, discount, tax, total, paid } = budget;
  const deposit = depositOf(source);
  const sum = (term: string, amount: number): DocumentSum => ({ kind: "sum", term, amount: formats.price(amount) });
  return [
    sum(words.subtotal, subtotal),
    ...(discount === 0 ? [] : [sum(words.discount, -discount)]),
    ...(tax === 0 ? [] : [sum(taxOf(source), tax)]),
    { kind: "total", term: words.total, amount: formats.money(total) },
    ...(deposit === null ? [] : [{ kind: "sum", term: words.toConfirm, amount: deposit.text } as const]),
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
