import type { Rounding } from "../kernel/decimal.js";
import type { PricingTax } from "../pricing/pricing-shapes.js";
import { containedIn, type Fraction, fraction, plus, round, sharesOf, sumOf, times, whole } from "./fraction.js";

/** A line before its taxes. */
export interface TaxedLine {
  readonly taxes: readonly string[];
  readonly left: bigint; // what the budget's discount leaves of the line's amount
  readonly discount: bigint;
}

export interface ExactTaxes {
  readonly subtotal: bigint;
  readonly discount: bigint;
  readonly tax: bigint;
  readonly total: bigint;
  readonly withheld: bigint;
  readonly taxes: readonly { readonly base: bigint; readonly amount: bigint }[]; // as given
  readonly lines: readonly { readonly total: bigint; readonly discount: bigint; readonly tax: bigint }[];
}

/** A line while its taxes are computed. */
interface WorkLine {
  readonly taxes: readonly string[];
  net: bigint;
  discount: bigint;
  readonly parts: Map<string, bigint>; // of each tax, by its id
}

/** The taxes of lines whose discount is allocated already. */
export function exactTaxes(lines: readonly TaxedLine[], rules: readonly PricingTax[], rounding: Rounding): ExactTaxes {
  const ordered = inOrder(rules);
  const work = lines.map(({ taxes, left, discount }): WorkLine => ({ taxes, net: left, discount, parts: new Map() }));
  takeOutContained(work, ordered, rounding);
  const taxes = new Map<string, { base: bigint; amount: bigint }>();
  for (const rule of ordered) taxes.set(rule.id, addTax(work, rule, rounding));
  const added = rules.filter(({ kind = "tax" }) => kind === "tax").map(({ id }) => id);
  const amountOf = (id: string) => taxes.get(id)?.amount ?? 0n;
  const discount = sumOf(work.map((line) => line.discount));
  const net = sumOf(work.map((line) => line.net));
  const tax = sumOf(added.map(amountOf));
  return {
    subtotal: net + discount,
    discount,
    tax,
    total: net + tax,
    withheld: sumOf(rules.map(({ id }) => amountOf(id))) - tax,
    taxes: rules.map(({ id }) => taxes.get(id) ?? { base: 0n, amount: 0n }),
    lines: work.map((line) => ({
      total: line.net + line.discount,
      discount: line.discount,
      tax: sumOf(added.map((id) => line.parts.get(id) ?? 0n)),
    })),
  };
}

/** As given, but each after those that it is on. */
function inOrder(rules: readonly PricingTax[]): PricingTax[] {
  const ordered: PricingTax[] = [];
  while (ordered.length < rules.length) {
    const isDone = (id: string) => ordered.some((rule) => rule.id === id);
    const next = rules.find(({ id, on = [] }) => !isDone(id) && on.every(isDone));
    if (next === undefined) throw new RangeError("the taxes are on each other");
    ordered.push(next);
  }
  return ordered;
}

/** Of the lines with the same inclusive taxes one amount is taken out, and divided among these taxes and the lines. */
function takeOutContained(work: readonly WorkLine[], ordered: readonly PricingTax[], rounding: Rounding): void {
  const inclusive = ordered.filter((rule) => rule.inclusive === true);
  const setOf = (line: WorkLine) => inclusive.filter(({ id }) => line.taxes.includes(id));
  const keyOf = (line: WorkLine) => JSON.stringify(setOf(line).map(({ id }) => id));
  for (const key of new Set(work.map(keyOf))) {
    const lines = work.filter((line) => keyOf(line) === key);
    const rules = lines[0] === undefined ? [] : setOf(lines[0]);
    if (rules.length > 0) takeOut(lines, rules, rounding);
  }
}

function takeOut(lines: readonly WorkLine[], rules: readonly PricingTax[], rounding: Rounding): void {
  const rates = ratesOf(rules);
  const rate = rates.reduce(plus);
  const gross = sumOf(lines.map(({ net }) => net));
  const discount = sumOf(lines.map((line) => line.discount));
  const amount = round(containedIn(gross, rate), rounding);
  const withoutDiscount = round(containedIn(gross + discount, rate), rounding);
  const ofLines = sharesOf(
    amount,
    lines.map(({ net }) => whole(net)),
  );
  const discounts = sharesOf(
    discount - (withoutDiscount - amount),
    lines.map((line) => whole(line.discount)),
  );
  for (const [index, line] of lines.entries()) {
    line.net -= ofLines[index] ?? 0n;
    line.discount = discounts[index] ?? 0n;
  }
  const open = [...ofLines]; // what no tax has taken of each line's part yet
  for (const [nth, share] of sharesOf(amount, rates).entries()) {
    for (const [index, part] of sharesOf(share, open.map(whole)).entries()) {
      lines[index]?.parts.set(rules[nth]?.id ?? "", part);
      open[index] = (open[index] ?? 0n) - part;
    }
  }
}

/** What each tax adds to a net amount of 1, one that is on others included. */
function ratesOf(rules: readonly PricingTax[]): Fraction[] {
  const rates: Fraction[] = [];
  for (const { rate, on = [] } of rules) {
    const bases = rates.filter((_, index) => on.includes(rules[index]?.id ?? ""));
    rates.push(times(fraction(rate), [whole(1n), ...bases].reduce(plus)));
  }
  return rates;
}

/** The base and the amount of a tax. One that is not inclusive is rounded once, and divided among its lines. */
function addTax(work: readonly WorkLine[], { id, rate, on = [], inclusive = false }: PricingTax, rounding: Rounding) {
  const lines = work.filter(({ taxes }) => taxes.includes(id));
  const bases = lines.map(({ net, parts }) => net + sumOf([...new Set(on)].map((each) => parts.get(each) ?? 0n)));
  const base = sumOf(bases);
  if (!inclusive) {
    const amount = round(times(whole(base), fraction(rate)), rounding);
    for (const [index, part] of sharesOf(amount, bases.map(whole)).entries()) lines[index]?.parts.set(id, part);
  }
  return { base, amount: sumOf(lines.map(({ parts }) => parts.get(id) ?? 0n)) };
}
