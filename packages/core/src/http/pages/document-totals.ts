import { termWith } from "./document-acceptance.js";
import type { DocumentFact, DocumentSource, DocumentSum } from "./document-parts.js";
import { withoutMarks } from "./isolate.js";
import { laterAmount, laterTerm } from "./recurring-costs.js";
import { recurrencesOf, type ShownSum, type SumSettings, shownSums } from "./shown-figures.js";

/** A sum with its words. */
export interface WordedSum extends ShownSum {
  readonly term: string;
  readonly write: (amount: number) => string; // the amount with what stands beside it
}

/** Every sum that a selection of the customer can show. */
export function wordedSums(source: DocumentSource): readonly WordedSum[] {
  const settings = sumSettingsOf(source);
  return shownSums(source.budget, source.lines, settings).map((sum) => ({
    ...sum,
    term: termOf(sum, source, settings),
    write: writerOf(sum, source, settings),
  }));
}

export function sumSettingsOf({ budget }: DocumentSource): SumSettings {
  const { items, discountAmount = null, minimumPaymentToConfirm: minimum, paid, balance } = budget;
  return {
    discountAmount,
    minimum,
    paid,
    hasBalance: balance !== undefined,
    recurrences: recurrencesOf(items.filter(hasPrice)),
  };
}

type Line = DocumentSource["budget"]["items"][number];

function hasPrice(line: Line): line is Extract<Line, { readonly quantity: number }> {
  return line.kind === undefined;
}

/** Those that the document shows. */
export function totalsOf(source: DocumentSource): DocumentSum[] {
  return wordedSums(source).flatMap(({ name, term, amount, write }) =>
    amount === null ? [] : [{ kind: name === "total" ? "total" : "sum", term, amount: write(amount) }],
  );
}

function termOf({ name, index }: ShownSum, source: DocumentSource, settings: SumSettings): string {
  const { budget, words } = source;
  switch (name) {
    case "tax":
      return taxAt(index, source);
    case "withheld":
      return taxTerm(budget.taxes?.[index], source);
    case "toConfirm":
      return depositTerm(words.toConfirm, source);
    case "recurring": {
      const recurrence = settings.recurrences[index];
      const term = recurrence === undefined ? "" : laterTerm(recurrence, source);
      return hasTax(source) ? `${term}, ${words.taxIncluded(generalTax(source))}` : term;
    }
    default:
      return words[name];
  }
}

/** With the part of the total, if it is one. */
function depositTerm(term: string, { budget: { deposit }, formats }: DocumentSource): string {
  return deposit?.rate === undefined ? term : termWith(term, `(${formats.rate(deposit.rate)})`);
}

/** Null = nothing confirms the offer, or it is paid. */
export function depositOf(source: DocumentSource): DocumentFact | null {
  const { budget, words, formats } = source;
  const { minimumPaymentToConfirm: minimum, paid } = budget;
  if (minimum === null || paid >= minimum) return null;
  return { term: depositTerm(words.deposit, source), text: formats.price(minimum) };
}

function writerOf({ name, index }: ShownSum, source: DocumentSource, { recurrences }: SumSettings) {
  const { formats } = source;
  if (name === "total") return formats.money;
  const recurrence = name === "recurring" ? recurrences[index] : undefined;
  if (recurrence === undefined) return formats.price;
  return (amount: number) => laterAmount(recurrence, formats.price(amount), source);
}

function taxAt(index: number, source: DocumentSource): string {
  const { budget, words } = source;
  if (budget.taxes === undefined) return rateTerm(source);
  const tax = budget.taxes[index];
  const term = taxTerm(tax, source);
  return tax?.inclusive === true ? words.taxIncluded(term) : term;
}

/** The tax with its rate, if it was given by one: `IVA 21 %`. */
function rateTerm({ budget: { taxRate }, formats, taxName }: DocumentSource): string {
  return taxRate === null || taxRate === 0 ? taxName : `${taxName} ${formats.rate(taxRate)}`;
}

type Tax = NonNullable<DocumentSource["budget"]["taxes"]>[number];

/** A name that has a rate in it is not given another. */
function taxTerm(tax: Tax | undefined, { formats }: DocumentSource): string {
  if (tax === undefined) return "";
  const name = withoutMarks(tax.name);
  return name.includes("%") ? name : termWith(name, formats.rate(tax.rate));
}

/** The amount to pay, with the taxes that it includes. */
export function sumOf(source: DocumentSource): DocumentSum {
  const { budget, words, formats } = source;
  const term = hasTax(source) ? words.totalWith(generalTax(source)) : words.total;
  return { kind: "total", term, amount: formats.money(budget.total) };
}

function hasTax({ budget: { tax, taxes } }: DocumentSource): boolean {
  return taxes === undefined ? tax !== 0 : taxes.some(({ kind, rate }) => kind === "tax" && rate > 0);
}

/** One tax with its rate, two by their names, more by the usual name. */
function generalTax(source: DocumentSource): string {
  const { taxes } = source.budget;
  if (taxes === undefined) return rateTerm(source);
  const added = taxes.filter(({ kind, rate }) => kind === "tax" && rate > 0);
  const names = [...new Set(added.map(({ name }) => withoutMarks(name)))];
  if (added.length === 1) return taxTerm(added[0], source);
  return names.length <= 2 ? names.join(", ") : source.taxName;
}
