import { err, ok, type Result } from "neverthrow";
import { numberAt } from "../kernel/arrays.js";
import { exponentOf } from "../kernel/currency.js";
import { decimalOf, multiply, type Rounding, roundProduct, roundTo } from "../kernel/decimal.js";
import { type Minor, maxAmountOf, maxMinorOf } from "../kernel/money.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { allocate } from "./allocate.js";
import { discountedTotal, type LineDiscount } from "./line-discount.js";
import { firstItemOf, isItem, type Kinded } from "./line-kind.js";
import type { AllocationStep, TotalsStep } from "./totals-step.js";

export interface Line extends Kinded, LineDiscount {
  readonly quantity: number; // 0 = the line is no item
  readonly unitPrice: number;
}

/** The tax of a budget: a rate on subtotal less discount, or an amount from the client. */
export type Taxation =
  | { readonly kind: "rate"; readonly rate: number } // 0 to 1
  | { readonly kind: "amount"; readonly amount: Minor };

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
}

/** The figures of the lines, by index. Typed arrays make a thousand lines many times as fast as objects. */
export interface LineTotals {
  readonly totals: Float64Array; // quantity × unitPrice, less the line's own discount; 0 = the line may be no item
  readonly discounts: Float64Array;
  readonly taxes: Float64Array;
}

/** Collects the steps of a computation for the trace; null = no trace. */
export type Steps = TotalsStep[] | null;

/**
 * Computes a budget's totals.
 * Errors: AMOUNT_TOO_LARGE, DISCOUNT_EXCEEDS_SUBTOTAL. Source: contract, Budget item, Totals.
 */
export function computeTotals(input: TotalsInput, steps: Steps = null): Result<Totals, Problem> {
  const lineTotals = lineTotalsOf(input, steps);
  if (lineTotals.isErr()) return err(lineTotals.error);
  return totalsOfLines(lineTotals.value, input, steps);
}

/**
 * quantity × unitPrice of each line, rounded to the currency's minor unit, less the line's own discount.
 * Errors: AMOUNT_TOO_LARGE, DISCOUNT_EXCEEDS_ITEM.
 */
export function lineTotalsOf(
  { lines, currency, rounding }: Pick<TotalsInput, "lines" | "currency" | "rounding">,
  steps: Steps = null,
): Result<Float64Array, Problem> {
  const exponent = exponentOf(currency);
  const maxPrice = maxAmountOf(currency);
  const maxTotal = maxMinorOf(currency);
  const totals = new Float64Array(lines.length);
  let item = 0;
  for (const line of lines) {
    const { quantity, unitPrice, discountRate, discountAmount } = line;
    if (unitPrice > maxPrice) return err(amountTooLarge(`items[${item}].unitPrice`, currency));
    const rounded = roundProduct(quantity, unitPrice, exponent, rounding);
    if (rounded > maxTotal) return err(amountTooLarge(`items[${item}].total`, currency));
    if (steps !== null && isItem(line)) {
      const exact = multiply(decimalOf(quantity), decimalOf(unitPrice));
      steps.push({ kind: "line", item, quantity, unitPrice, exact, rounded, rule: rounding });
    }
    if (discountRate === undefined && discountAmount === undefined) {
      totals[item] = rounded;
    } else {
      const priced = { item, gross: rounded, discountRate, discountAmount };
      const discounted = discountedTotal(priced, { currency, rounding }, steps);
      if (discounted.isErr()) return err(discounted.error);
      totals[item] = discounted.value;
    }
    item += 1;
  }
  return ok(totals);
}

type Terms = Pick<TotalsInput, "currency" | "discount" | "taxation" | "rounding">;

/** {@link computeTotals} from line totals that are fixed already. */
export function totalsOfLines(
  lineTotals: Float64Array,
  input: TotalsInput,
  steps: Steps = null,
): Result<Totals, Problem> {
  const first = firstItemOf(input.lines);
  return figuresOf(lineTotals, input, steps).map((figures) => allocateFigures(lineTotals, figures, first, steps));
}

/** The figures of the budget. Errors: as {@link computeTotals}. */
export function figuresOf(lineTotals: Float64Array, terms: Terms, steps: Steps = null): Result<Figures, Problem> {
  const { currency, discount, taxation, rounding } = terms;
  const max = maxMinorOf(currency);
  let subtotal = 0;
  for (let index = 0; index < lineTotals.length; index += 1) {
    subtotal += numberAt(lineTotals, index);
  }
  if (subtotal > max) return err(amountTooLarge("subtotal", currency)); // a sum beyond 2^53 may be inexact, never smaller
  steps?.push({ kind: "subtotal", subtotal });
  if (discount > subtotal) {
    return err(
      brokenRule("DISCOUNT_EXCEEDS_SUBTOTAL", "The discount is larger than the subtotal.", { field: "discountAmount" }),
    );
  }
  const taxable = subtotal - discount;
  steps?.push({ kind: "taxable", subtotal, discount, taxable });
  const tax = taxation.kind === "amount" ? taxation.amount : taxOn(taxable, taxation.rate, rounding, steps);
  return withTax({ subtotal, discount }, tax, currency);
}

/** The figures with this tax. Errors: AMOUNT_TOO_LARGE. */
export function withTax(
  { subtotal, discount }: Pick<Figures, "subtotal" | "discount">,
  tax: Minor,
  currency: string,
): Result<Figures, Problem> {
  const total = subtotal - discount + tax;
  return total > maxMinorOf(currency) ? err(amountTooLarge("total", currency)) : ok({ subtotal, discount, tax, total });
}

/**
 * Allocates the discount in proportion to the line totals, and the tax in proportion to what the discount leaves. Where
 * nothing has a weight, the line at `first` gets everything.
 */
export function allocateFigures(totals: Float64Array, figures: Figures, first: number, steps: Steps = null): Totals {
  const { subtotal, discount, tax, total } = figures;
  steps?.push({ kind: "total", taxable: subtotal - discount, tax, total });
  const discounts = totals.slice();
  allocateTraced("discount", discount, discounts, { sum: subtotal, first }, steps);
  const taxes = totals.slice();
  for (let index = 0; index < taxes.length; index += 1) {
    taxes[index] = numberAt(taxes, index) - numberAt(discounts, index);
  }
  allocateTraced("tax", tax, taxes, { sum: subtotal - discount, first }, steps);
  return { subtotal, discount, tax, total, lines: { totals, discounts, taxes } };
}

function allocateTraced(
  of: AllocationStep["of"],
  amount: Minor,
  parts: Float64Array,
  { sum, first }: { readonly sum: Minor; readonly first: number },
  steps: Steps,
): void {
  const weights = steps === null || amount === 0 ? null : parts.slice();
  allocate(amount, parts, sum, first);
  if (weights !== null) steps?.push({ kind: "allocation", of, amount, weights, sum, shares: parts });
}

/** The tax on an amount. The rate is at most 1, so that the tax never exceeds the amount. */
function taxOn(taxable: Minor, rate: number, rounding: Rounding, steps: Steps): Minor {
  const exact = multiply({ digits: taxable, scale: 0 }, decimalOf(rate));
  const rounded = Number(roundTo(exact, 0, rounding));
  steps?.push({ kind: "tax", taxable, rate, exact, rounded, rule: rounding });
  return rounded;
}

export function amountTooLarge(field: string, currency: string): Problem {
  const max = maxAmountOf(currency);
  const message = `The largest amount in ${currency} is ${max}: beyond it a JSON number is not exact to the minor unit.`;
  return brokenRule("AMOUNT_TOO_LARGE", message, { field, max });
}
