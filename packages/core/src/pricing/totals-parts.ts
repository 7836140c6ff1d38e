import type { Rounding } from "../kernel/decimal.js";
import { type Minor, maxAmountOf } from "../kernel/money.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import type { LineDiscount } from "./line-discount.js";
import type { Kinded } from "./line-kind.js";
import type { Selectable } from "./selectable.js";
import type { TaxRule } from "./tax-rule.js";
import type { TotalsStep } from "./totals-step.js";

export interface Line extends Kinded, Selectable, LineDiscount {
  readonly quantity: number; // 0 = the line is no item
  readonly unitPrice: number;
  readonly taxes?: readonly string[] | undefined; // ids of the taxes on the line; absent = all of the budget
}

/** One tax on subtotal less discount: a rate, or an amount from the client. */
export type PlainTaxation =
  | { readonly kind: "rate"; readonly rate: number } // 0 to 1
  | { readonly kind: "amount"; readonly amount: Minor };

/** The tax of a budget: one for all lines, or several by their rules. */
export type Taxation = PlainTaxation | { readonly kind: "taxes"; readonly taxes: readonly TaxRule[] };

export interface TotalsInput {
  readonly currency: string;
  readonly rounding: Rounding;
  readonly lines: readonly Line[];
  readonly discount: Minor;
  readonly taxation: Taxation;
}

/** The figures of a whole budget. Always exactly `total = subtotal - discount + tax`. */
export interface Figures {
  readonly subtotal: Minor;
  readonly discount: Minor;
  readonly tax: Minor;
  readonly total: Minor;
}

/** The figures of the budget and its lines. The lines sum to the budget exactly. */
export interface Totals extends Figures {
  readonly lines: LineTotals;
  readonly taxed?: Taxed; // absent = one tax for all lines
}

/** What several taxes come to. */
export interface Taxed {
  readonly taxes: readonly TaxFigures[]; // as given
  readonly withheld: Minor; // the sum of the withholdings
  /** Of each line with an inclusive tax, by index: quantity × unitPrice less its own discount; -1 = no such tax. */
  readonly gross: Float64Array;
  readonly discount: Minor; // as given: the part that is without inclusive taxes is the figure `discount`
}

/** One tax with what it comes to. */
export interface TaxFigures {
  readonly rule: TaxRule;
  readonly base: Minor; // what it is on
  readonly amount: Minor;
  readonly shares: Float64Array; // of the lines, by index
}

/** The figures of the lines, by index. Typed arrays make a thousand lines many times as fast as objects. */
export interface LineTotals {
  readonly totals: Float64Array; // quantity × unitPrice, less the line's own discount; 0 = the line may be no item
  readonly discounts: Float64Array;
  readonly taxes: Float64Array;
}

/** Collects the steps of a computation for the trace; null = no trace. */
export type Steps = TotalsStep[] | null;

export const discountExceedsSubtotal = brokenRule(
  "DISCOUNT_EXCEEDS_SUBTOTAL",
  "The discount is larger than the subtotal.",
  { field: "discountAmount" },
);

export function amountTooLarge(field: string, currency: string): Problem {
  const max = maxAmountOf(currency);
  const message = `The largest amount in ${currency} is ${max}: beyond it a JSON number is not exact to the minor unit.`;
  return brokenRule("AMOUNT_TOO_LARGE", message, { field, max });
}
