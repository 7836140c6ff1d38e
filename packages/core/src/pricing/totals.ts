import { err, ok, type Result } from "neverthrow";
import { numberAt } from "../kernel/arrays.js";
import { type Minor, maxMinorOf } from "../kernel/money.js";
import type { Problem } from "../kernel/problem.js";
import { lineTotalsOf } from "./line-amounts.js";
import { firstItemOf } from "./line-kind.js";
import { taxedTotals } from "./taxed-totals.js";
import {
  amountTooLarge,
  discountExceedsSubtotal,
  type Figures,
  type PlainTaxation,
  type Steps,
  type Totals,
  type TotalsInput,
} from "./totals-parts.js";
import { allocateTraced, taxOn } from "./traced-steps.js";

/**
 * Computes a budget's totals.
 * Errors: AMOUNT_TOO_LARGE, DISCOUNT_EXCEEDS_SUBTOTAL. Source: contract, Budget item, Totals.
 */
export function computeTotals(input: TotalsInput, steps: Steps = null): Result<Totals, Problem> {
  const lineTotals = lineTotalsOf(input, steps);
  if (lineTotals.isErr()) return err(lineTotals.error);
  return totalsOfLines(lineTotals.value, input, steps);
}

type Terms = Pick<TotalsInput, "currency" | "discount" | "rounding"> & { readonly taxation: PlainTaxation };

/** {@link computeTotals} from line totals that are fixed already. */
export function totalsOfLines(
  lineTotals: Float64Array,
  input: TotalsInput,
  steps: Steps = null,
): Result<Totals, Problem> {
  const { taxation } = input;
  if (taxation.kind === "taxes") return taxedTotals(lineTotals, input, taxation.taxes, steps);
  const first = firstItemOf(input.lines);
  return figuresOf(lineTotals, { ...input, taxation }, steps).map((figures) =>
    allocateFigures(lineTotals, figures, first, steps),
  );
}

/** The figures of a budget with one tax. Errors: as {@link computeTotals}. */
export function figuresOf(lineTotals: Float64Array, terms: Terms, steps: Steps = null): Result<Figures, Problem> {
  const { currency, discount, taxation, rounding } = terms;
  const max = maxMinorOf(currency);
  let subtotal = 0;
  for (let index = 0; index < lineTotals.length; index += 1) {
    subtotal += numberAt(lineTotals, index);
  }
  if (subtotal > max) return err(amountTooLarge("subtotal", currency)); // a sum beyond 2^53 may be inexact, never smaller
  steps?.push({ kind: "subtotal", subtotal });
  if (discount > subtotal) return err(discountExceedsSubtotal);
  const taxable = subtotal - discount;
  steps?.push({ kind: "taxable", subtotal, discount, taxable });
  const tax =
    taxation.kind === "amount" ? taxation.amount : taxOn({ tax: null, taxable, rate: taxation.rate }, rounding, steps);
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
  allocateTraced({ of: "discount" }, discount, discounts, { sum: subtotal, first }, steps);
  const taxes = totals.slice();
  for (let index = 0; index < taxes.length; index += 1) {
    taxes[index] = numberAt(taxes, index) - numberAt(discounts, index);
  }
  allocateTraced({ of: "tax" }, tax, taxes, { sum: subtotal - discount, first }, steps);
  return { subtotal, discount, tax, total, lines: { totals, discounts, taxes } };
}
