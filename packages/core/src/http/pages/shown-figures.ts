import { exponentOf } from "../../kernel/currency.js";
import { decimalOf, multiply, roundTo } from "../../kernel/decimal.js";
import { fromMinor } from "../../kernel/money.js";
import { isItem, type LineKind, sectionsOf } from "../../pricing/line-kind.js";
import type { PricingFigures, PricingLineFigures } from "../../pricing/pricing-shapes.js";
import type { Recurrence } from "../../pricing/recurring.js";
import { isCounted, type Selectable } from "../../pricing/selectable.js";

/** Which amounts a document shows. It runs in browsers too, so that both show the same. */
export interface ShownLines {
  readonly amounts: readonly (number | null)[]; // by the index of the line; null = the line has none
  readonly sum: number; // of the lines that count
}

type Line = Selectable & { readonly kind?: LineKind | undefined };
type LineFigures = OrUndefined<Pick<PricingLineFigures, "gross" | "total" | "offered">>;

/** Absent and undefined mean the same. */
type OrUndefined<Fields> = { readonly [Name in keyof Fields]: Fields[Name] | undefined };

/** What each line comes to as its reader adds it up: with the taxes that prices contain, selected or not. */
export function shownLines(lines: readonly Line[], figures: readonly LineFigures[], currency: string): ShownLines {
  const scale = 10 ** exponentOf(currency);
  const amounts = lines.map((line, index) => amountOf(line, figures[index] ?? {}));
  const counted = Float64Array.from(amounts, (amount, index) => {
    const line = lines[index];
    return line !== undefined && isItem(line) && isCounted(line) ? Math.round((amount ?? 0) * scale) : 0;
  });
  const sum = counted.reduce((total, amount) => total + amount, 0) / scale;
  if (!figures.some(({ gross }) => gross !== undefined)) return { amounts, sum };
  for (const [index, { total }] of sectionsOf(lines, counted)) amounts[index] = total / scale;
  return { amounts, sum };
}

function amountOf(line: Line, { gross, total, offered }: LineFigures): number | null {
  if (!isItem(line)) return total ?? null;
  return offered ?? (isCounted(line) ? (gross ?? total ?? null) : null);
}

/** What a discount of its own is taken from. */
interface DiscountedLine {
  readonly quantity: number;
  readonly unitPrice: number;
  readonly discountRate?: number | undefined;
  readonly discountAmount?: number | undefined;
}

/** What the line would come to without its own discount; null = it has none, or rounding decides. */
export function undiscountedAmount(line: DiscountedLine, amount: number | null, currency: string): number | null {
  const { discountRate = 0, discountAmount = 0, quantity, unitPrice } = line;
  if (discountAmount !== 0) return amount === null ? null : amount + discountAmount;
  if (discountRate === 0) return null;
  const exact = multiply(decimalOf(quantity), decimalOf(unitPrice));
  const places = exponentOf(currency);
  const [up, even] = [roundTo(exact, places, "half-up"), roundTo(exact, places, "half-even")];
  return up === even ? fromMinor(Number(up), currency) : null;
}

/** A sum below the lines. */
export interface ShownSum {
  readonly name: SumName;
  readonly index: number; // of the tax or the recurrence; else 0
  readonly amount: number | null; // null = not shown
}

type SumName =
  | "subtotal"
  | "discount"
  | "tax" // added, or contained in the prices
  | "total"
  | "withheld"
  | "payable"
  | "toConfirm"
  | "paid"
  | "balance"
  | "recurring";

export type SummedFigures = Pick<PricingFigures, "subtotal" | "discount" | "tax" | "total"> &
  OrUndefined<Pick<PricingFigures, "taxes" | "payable" | "recurring">>;

/** What does not follow from the lines. */
export interface SumSettings {
  readonly discountAmount: number | null; // as given, with the taxes that it contains; null = prices contain none
  readonly minimum: number | null; // what confirms an acceptance
  readonly paid: number;
  readonly hasBalance: boolean; // whether there is a deposit
  readonly recurrences: readonly Recurrence[]; // of all lines
}

/** Every sum that a selection can show, in order. */
export function shownSums(figures: SummedFigures, lines: ShownLines, settings: SumSettings): readonly ShownSum[] {
  const { subtotal, discount, tax, total, taxes, payable, recurring = [] } = figures;
  const { discountAmount, minimum, paid, hasBalance, recurrences } = settings;
  const containsTax = taxes?.some(({ inclusive }) => inclusive === true) === true;
  const sum = (name: SumName, amount: number | null, index = 0): ShownSum => ({ name, index, amount });
  const orNone = (amount: number) => (amount === 0 ? null : amount);
  const taxesOf = (kind: "tax" | "withholding", name: SumName, sign: 1 | -1) =>
    (taxes ?? []).flatMap((each, index) =>
      (each.kind ?? "tax") === kind ? [sum(name, orNone(sign * each.amount), index)] : [],
    );
  return [
    sum("subtotal", containsTax ? (lines.sum === total ? null : lines.sum) : subtotal),
    sum("discount", orNone(-(containsTax ? (discountAmount ?? discount) : discount))),
    ...(taxes === undefined ? [sum("tax", orNone(tax))] : taxesOf("tax", "tax", 1)),
    sum("total", total),
    ...taxesOf("withholding", "withheld", -1),
    sum("payable", payable ?? null),
    sum("toConfirm", minimum === null || paid >= minimum ? null : minimum),
    sum("paid", orNone(paid)),
    sum("balance", hasBalance && paid !== 0 ? (payable ?? total) - paid : null),
    ...recurrences.map((each, index) => sum("recurring", laterCycle(recurring, each), index)),
  ];
}

function laterCycle(recurring: NonNullable<SummedFigures["recurring"]>, wanted: Recurrence): number | null {
  return recurring.find((each) => isSame(each, wanted))?.total ?? null;
}

/** The ways in which lines recur, each once. One cycle alone has no later ones. */
export function recurrencesOf(
  lines: readonly { readonly recurring?: Recurrence | undefined }[],
): readonly Recurrence[] {
  const found: Recurrence[] = [];
  for (const { recurring } of lines) {
    if (recurring === undefined || recurring.cycles === 1 || found.some((each) => isSame(each, recurring))) continue;
    found.push(recurring);
  }
  return found;
}

function isSame(a: Recurrence, b: Recurrence): boolean {
  return a.interval === b.interval && a.intervalCount === b.intervalCount && a.cycles === b.cycles;
}
