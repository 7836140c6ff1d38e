import { err, ok, type Result } from "neverthrow";
import { at, numberAt, valueAt } from "../kernel/arrays.js";
import type { Rounding } from "../kernel/decimal.js";
import { type Minor, maxMinorOf } from "../kernel/money.js";
import { brokenRule, type Problem } from "../kernel/problem.js";
import { takeOut } from "./contained-taxes.js";
import { firstItemOf } from "./line-kind.js";
import { inOrderOfComputation, type TaxRule } from "./tax-rule.js";
import { bitsOf, hasTax, linesByTaxes, type TaxSets, taxSetsOf } from "./tax-sets.js";
import {
  amountTooLarge,
  discountExceedsSubtotal,
  type Steps,
  type TaxFigures,
  type Totals,
  type TotalsInput,
} from "./totals-parts.js";
import { allocateTraced, taxOn } from "./traced-steps.js";

type Input = Pick<TotalsInput, "lines" | "currency" | "rounding" | "discount">;

/** The figures of the lines, by index, while they are computed. */
interface Work {
  readonly rules: readonly TaxRule[]; // in the order of computation
  readonly sets: TaxSets;
  readonly left: Float64Array; // what the discount leaves of the line's amount
  readonly discounts: Float64Array; // in the end without the taxes that they contain
  readonly net: Float64Array; // in the end `left` without the taxes that it contains
  readonly shares: Map<string, Float64Array>; // of the lines in each tax, by its id
}

/**
 * The totals of a budget with several taxes, from the amounts of its lines. The discount is allocated to the lines; then
 * the taxes that prices contain are taken out, those of lines with the same such taxes together; then the others are added
 * one after another, each rounded once on what it is on.
 * Errors: AMOUNT_TOO_LARGE, DISCOUNT_EXCEEDS_SUBTOTAL, WITHHOLDING_EXCEEDS_TOTAL, and those of the taxes.
 */
export function taxedTotals(
  amounts: Float64Array,
  input: Input,
  taxes: readonly TaxRule[],
  steps: Steps = null,
): Result<Totals, Problem> {
  const rules = inOrderOfComputation(taxes);
  if (rules.isErr()) return err(rules.error);
  const sets = taxSetsOf(input.lines, rules.value);
  if (sets.isErr()) return err(sets.error);
  const discounts = discountsOf(amounts, input, steps);
  if (discounts.isErr()) return err(discounts.error);
  const left = difference(amounts, discounts.value);
  const work: Work = {
    rules: rules.value,
    sets: sets.value,
    left,
    discounts: discounts.value.slice(), // a step holds the discounts as allocated
    net: left.slice(),
    shares: new Map(),
  };
  takeOutContained(work, input.rounding, steps);
  const figures = figuresOf(work, input, steps);
  if (figures.isErr()) return err(figures.error);
  const given = taxes.flatMap(({ id }) => figures.value.filter(({ rule }) => rule.id === id));
  return totalsOf(work, given, { amounts, ...input }, steps);
}

/** The discount, allocated to the lines in proportion to their amounts. */
function discountsOf(
  amounts: Float64Array,
  { lines, currency, discount }: Input,
  steps: Steps,
): Result<Float64Array, Problem> {
  const sum = sumOf(amounts);
  if (sum > maxMinorOf(currency)) return err(amountTooLarge("subtotal", currency));
  if (discount > sum) return err(discountExceedsSubtotal);
  const discounts = amounts.slice();
  allocateTraced({ of: "discount" }, discount, discounts, { sum, first: firstItemOf(lines) }, steps);
  return ok(discounts);
}

function takeOutContained({ rules, sets, left, discounts, net, shares }: Work, rounding: Rounding, steps: Steps): void {
  const contained = rules.filter(({ inclusive }) => inclusive);
  for (const { id } of contained) shares.set(id, new Float64Array(left.length));
  for (const { taxes, indexes } of linesByTaxes(sets, contained)) {
    const parts = takeOut({ indexes, taxes }, { left, discounts, net }, rounding, steps);
    for (const [place, { id }] of taxes.entries()) {
      const ofTax = valueAt(shares, id);
      const part = at(parts, place);
      for (let nth = 0; nth < part.length; nth += 1) ofTax[at(indexes, nth)] = numberAt(part, nth);
    }
  }
}

/** The figures of each tax. One that the prices do not contain is computed here, and allocated to its lines. */
function figuresOf(work: Work, { currency, rounding }: Input, steps: Steps): Result<TaxFigures[], Problem> {
  const figures: TaxFigures[] = [];
  for (const rule of work.rules) {
    const bases = basesOf(work, rule);
    const base = sumOf(bases);
    if (base > maxMinorOf(currency)) return err(amountTooLarge("total", currency));
    if (!rule.inclusive) {
      const amount = taxOn({ tax: rule.id, taxable: base, rate: rule.rate }, rounding, steps);
      allocateTraced({ of: "tax", tax: rule.id }, amount, bases, { sum: base, first: 0 }, steps);
      work.shares.set(rule.id, bases);
    }
    const shares = valueAt(work.shares, rule.id);
    figures.push({ rule, base, amount: sumOf(shares), shares });
  }
  return ok(figures);
}

/** What a tax is on, of each of its lines: the net amount, and the taxes that it is on. */
function basesOf({ sets, net, shares }: Work, { id, on }: TaxRule): Float64Array {
  const bases = new Float64Array(net.length);
  const added = [...new Set(on)].map((each) => valueAt(shares, each));
  const bit = valueAt(sets.bits, id);
  for (let index = 0; index < bases.length; index += 1) {
    if (!hasTax(sets, index, bit)) continue;
    let base = numberAt(net, index);
    for (const each of added) base += numberAt(each, index);
    bases[index] = base;
  }
  return bases;
}

function totalsOf(
  { sets, rules, discounts, net }: Work,
  figures: readonly TaxFigures[],
  { amounts, currency, discount: given }: Input & { readonly amounts: Float64Array },
  steps: Steps,
): Result<Totals, Problem> {
  const taxes = figures.filter(({ rule }) => rule.kind === "tax");
  const tax = amountOf(taxes);
  const withheld = amountOf(figures) - tax;
  const discount = sumOf(discounts);
  const taxable = sumOf(net);
  const total = taxable + tax;
  if (total > maxMinorOf(currency)) return err(amountTooLarge("total", currency));
  if (withheld > total) return err(withholdingExceedsTotal);
  steps?.push({ kind: "subtotal", subtotal: taxable + discount });
  steps?.push({ kind: "taxable", subtotal: taxable + discount, discount, taxable });
  steps?.push({ kind: "total", taxable, tax, total });
  if (withheld > 0) steps?.push({ kind: "withheld", total, withheld, payable: total - withheld });
  const contained = bitsOf(
    rules.filter(({ inclusive }) => inclusive),
    sets.bits,
  );
  const gross = amounts.map((amount, index) => (hasTax(sets, index, contained) ? amount : -1));
  const totals = net.slice();
  addTo(totals, discounts);
  const ofLines = new Float64Array(net.length);
  for (const { shares } of taxes) addTo(ofLines, shares);
  return ok({
    subtotal: taxable + discount,
    discount,
    tax,
    total,
    lines: { totals, discounts, taxes: ofLines },
    taxed: { taxes: figures, withheld, gross, discount: given },
  });
}

function amountOf(figures: readonly TaxFigures[]): Minor {
  return figures.reduce((total, { amount }) => total + amount, 0);
}

/** Adds to each amount the other one of its index. */
function addTo(amounts: Float64Array, others: Float64Array): void {
  for (let index = 0; index < amounts.length; index += 1) {
    amounts[index] = numberAt(amounts, index) + numberAt(others, index);
  }
}

function difference(one: Float64Array, other: Float64Array): Float64Array {
  return one.map((amount, index) => amount - numberAt(other, index));
}

function sumOf(amounts: Float64Array): Minor {
  let total = 0;
  for (let index = 0; index < amounts.length; index += 1) total += numberAt(amounts, index);
  return total;
}

const withholdingExceedsTotal = brokenRule("WITHHOLDING_EXCEEDS_TOTAL", "More would be withheld than the total is.", {
  field: "taxes",
});
