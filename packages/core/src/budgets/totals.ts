import { err, ok, type Result } from "neverthrow";
import { numberAt } from "../kernel/at.js";
import { exponentOf } from "../kernel/currency.js";
import { decimalOf, multiply, type Rounding, roundProduct, roundTo } from "../kernel/decimal.js";
import { MAX_MINOR, type Minor } from "../kernel/money.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { spread } from "./spread.js";
import type { SpreadStep, TotalsStep } from "./totals-step.js";

/** One line as it is priced. */
export interface Line {
  readonly quantity: number;
  readonly unitPrice: number;
}

/** How a budget is taxed: by a rate on what remains after the discount, or by an amount that the client gave. */
export type Taxation =
  | { readonly kind: "rate"; readonly rate: number } // 0 to 1
  | { readonly kind: "amount"; readonly amount: Minor };

/** What totals are computed from. */
export interface TotalsInput {
  readonly currency: string;
  readonly rounding: Rounding;
  readonly lines: readonly Line[];
  readonly discount: Minor;
  readonly taxation: Taxation;
}

/** The figures of a whole budget: `total = subtotal - discount + tax`, always exactly. */
export interface Figures {
  readonly subtotal: Minor;
  readonly discount: Minor;
  readonly tax: Minor;
  readonly total: Minor;
}

/** The figures with those of the lines, which sum to them exactly. */
export interface Totals extends Figures {
  readonly lines: LineTotals;
}

/** The figures of the lines, side by side. Packed numbers: a thousand lines are computed many times as fast in them. */
export interface LineTotals {
  readonly totals: Float64Array; // quantity × unitPrice
  readonly discounts: Float64Array;
  readonly taxes: Float64Array;
}

/** Where a computation writes down what it does, for whoever follows it by hand; null = nowhere. */
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

/** quantity × unitPrice of each line, rounded to the currency's minor unit. */
export function lineTotalsOf(
  { lines, currency, rounding }: Pick<TotalsInput, "lines" | "currency" | "rounding">,
  steps: Steps = null,
): Result<Float64Array, Problem> {
  const exponent = exponentOf(currency);
  const totals = new Float64Array(lines.length);
  let item = 0;
  for (const { quantity, unitPrice } of lines) {
    const rounded = roundProduct(quantity, unitPrice, exponent, rounding);
    if (typeof rounded === "bigint" || rounded > MAX_MINOR) return err(tooLarge(`items[${item}].total`));
    if (steps !== null) {
      const exact = multiply(decimalOf(quantity), decimalOf(unitPrice));
      steps.push({ kind: "line", item, quantity, unitPrice, exact, rounded, rule: rounding });
    }
    totals[item] = rounded;
    item += 1;
  }
  return ok(totals);
}

type Terms = Pick<TotalsInput, "discount" | "taxation" | "rounding">;

/** The rest of the computation, from line totals that are settled. */
export function totalsOfLines(lineTotals: Float64Array, terms: Terms, steps: Steps = null): Result<Totals, Problem> {
  return figuresOf(lineTotals, terms, steps).map((figures) => shareOut(lineTotals, figures, steps));
}

/** The budget's own figures. Errors: as {@link computeTotals}. */
export function figuresOf(lineTotals: Float64Array, terms: Terms, steps: Steps = null): Result<Figures, Problem> {
  const { discount, taxation, rounding } = terms;
  let subtotal = 0;
  for (let index = 0; index < lineTotals.length; index += 1) {
    subtotal += numberAt(lineTotals, index);
    if (subtotal > MAX_MINOR) return err(tooLarge("subtotal"));
  }
  steps?.push({ kind: "subtotal", subtotal });
  if (discount > subtotal) {
    return err(
      brokenRule("DISCOUNT_EXCEEDS_SUBTOTAL", "The discount is larger than the subtotal.", { field: "discountAmount" }),
    );
  }
  const taxable = subtotal - discount;
  steps?.push({ kind: "taxable", subtotal, discount, taxable });
  const tax = taxation.kind === "amount" ? taxation.amount : taxOn(taxable, taxation.rate, rounding, steps);
  return withTax({ subtotal, discount }, tax);
}

/** The figures with this tax. Errors: AMOUNT_TOO_LARGE. */
export function withTax(
  { subtotal, discount }: Pick<Figures, "subtotal" | "discount">,
  tax: Minor,
): Result<Figures, Problem> {
  const total = subtotal - discount + tax;
  return total > MAX_MINOR ? err(tooLarge("total")) : ok({ subtotal, discount, tax, total });
}

/** Gives each line its part of the discount, in proportion to its total, and of the tax, to what that leaves of it. */
export function shareOut(lineTotals: Float64Array, figures: Figures, steps: Steps = null): Totals {
  const { subtotal, discount, tax, total } = figures;
  steps?.push({ kind: "total", taxable: subtotal - discount, tax, total });
  const discounts = spreadOf("discount", discount, lineTotals, steps);
  const taxables = new Float64Array(lineTotals.length);
  for (let index = 0; index < taxables.length; index += 1) {
    taxables[index] = numberAt(lineTotals, index) - numberAt(discounts, index);
  }
  const taxes = spreadOf("tax", tax, taxables, steps);
  return { subtotal, discount, tax, total, lines: { totals: lineTotals, discounts, taxes } };
}

function spreadOf(of: SpreadStep["of"], amount: Minor, weights: Float64Array, steps: Steps): Float64Array {
  if (steps === null) return spread(amount, weights);
  return spread(amount, weights, (spreading) => steps.push({ kind: "spread", of, amount, ...spreading }));
}

/** The tax on an amount; at a rate of at most 1 it never exceeds it. */
function taxOn(taxable: Minor, rate: number, rounding: Rounding, steps: Steps): Minor {
  const exact = multiply({ digits: taxable, scale: 0 }, decimalOf(rate));
  const rounded = Number(roundTo(exact, 0, rounding));
  steps?.push({ kind: "tax", taxable, rate, exact, rounded, rule: rounding });
  return rounded;
}

function tooLarge(field: string): Problem {
  return brokenRule("AMOUNT_TOO_LARGE", "The amount is larger than the service can hold exactly.", { field });
}
