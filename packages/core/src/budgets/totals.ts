import { err, ok, type Result } from "neverthrow";
import { at } from "../kernel/at.js";
import { exponentOf } from "../kernel/currency.js";
import { decimalOf, multiply, type Rounding, roundTo } from "../kernel/decimal.js";
import { MAX_MINOR, type Minor } from "../kernel/money.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { spread } from "./spread.js";

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

/** `total = subtotal - discount + tax`, and the lines' figures sum to the budget's, always exactly. */
export interface Totals {
  readonly lines: readonly LineTotals[];
  readonly subtotal: Minor;
  readonly discount: Minor;
  readonly tax: Minor;
  readonly total: Minor;
}

export interface LineTotals {
  readonly total: Minor; // quantity × unitPrice
  readonly discount: Minor;
  readonly tax: Minor;
}

/**
 * Computes a budget's totals.
 * Errors: AMOUNT_TOO_LARGE, DISCOUNT_EXCEEDS_SUBTOTAL. Source: contract, Budget item, Totals.
 */
export function computeTotals(input: TotalsInput): Result<Totals, Problem> {
  const lineTotals = lineTotalsOf(input.lines, input.currency, input.rounding);
  if (lineTotals.isErr()) return err(lineTotals.error);
  return totalsOfLines(lineTotals.value, input);
}

/** quantity × unitPrice of each line, rounded to the currency's minor unit. */
export function lineTotalsOf(lines: readonly Line[], currency: string, rounding: Rounding): Result<Minor[], Problem> {
  const exponent = exponentOf(currency);
  const totals = new Array<Minor>(lines.length);
  for (const [index, line] of lines.entries()) {
    const total = roundTo(multiply(decimalOf(line.quantity), decimalOf(line.unitPrice)), exponent, rounding);
    if (typeof total === "bigint" || total > MAX_MINOR) return err(tooLarge(`items[${index}].total`));
    totals[index] = total;
  }
  return ok(totals);
}

/** The rest of the computation, from line totals that are settled. */
export function totalsOfLines(
  lineTotals: readonly Minor[],
  { discount, taxation, rounding }: Pick<TotalsInput, "discount" | "taxation" | "rounding">,
): Result<Totals, Problem> {
  let subtotal = 0;
  for (const lineTotal of lineTotals) {
    subtotal += lineTotal;
    if (subtotal > MAX_MINOR) return err(tooLarge("subtotal"));
  }
  if (discount > subtotal) {
    return err(
      brokenRule("DISCOUNT_EXCEEDS_SUBTOTAL", "The discount is larger than the subtotal.", { field: "discountAmount" }),
    );
  }
  const taxable = subtotal - discount;
  const tax = taxation.kind === "amount" ? taxation.amount : taxOn(taxable, taxation.rate, rounding);
  const total = taxable + tax;
  if (total > MAX_MINOR) return err(tooLarge("total"));
  const discounts = spread(discount, lineTotals);
  const taxes = spread(
    tax,
    lineTotals.map((lineTotal, index) => lineTotal - at(discounts, index)),
  );
  const lines = lineTotals.map((lineTotal, index) => ({
    total: lineTotal,
    discount: at(discounts, index),
    tax: at(taxes, index),
  }));
  return ok({ lines, subtotal, discount, tax, total });
}

/** The tax on an amount; at a rate of at most 1 it never exceeds it. */
function taxOn(taxable: Minor, rate: number, rounding: Rounding): Minor {
  return Number(roundTo(multiply({ digits: taxable, scale: 0 }, decimalOf(rate)), 0, rounding));
}

function tooLarge(field: string): Problem {
  return brokenRule("AMOUNT_TOO_LARGE", "The amount is larger than the service can hold exactly.", { field });
}
