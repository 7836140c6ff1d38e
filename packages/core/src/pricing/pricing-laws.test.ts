import { rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMinor } from "../kernel/money.js";
import { drawBudget } from "../testing/drawn-budgets.js";
import { allocate } from "./allocate.js";
import { priceBudget } from "./price-budget.js";
import { settledLines } from "./pricing-lines.js";
import type { PricingFigures, PricingInput, PricingTax } from "./pricing-shapes.js";
import { applySelection, type SelectedLine } from "./selection.js";
import { computeTotals } from "./totals.js";
import type { Taxed, Totals } from "./totals-parts.js";
import { traceStepSchema } from "./trace-schema.js";

/** Fast-check prints its seed and the budget of a failure. */
const runs = { numRuns: rounds({ small: 200, full: 2_000 }) };
const budgets = fc.integer().map(drawBudget);
const pricedBudgets = budgets.filter((input) => priceBudget(input).isOk());
const taxedBudgets = pricedBudgets.filter(({ taxes = [] }) => taxes.length > 0);

/** The figures but for the trace. */
function figuresOf(input: PricingInput): Omit<PricingFigures, "trace"> {
  const { trace: _, ...figures } = priceBudget(input)._unsafeUnwrap();
  return figures;
}

/** What the kernel computes before it writes amounts: in minor units, with the share of each line in each tax. */
function totalsOf(input: PricingInput & { readonly taxes: readonly PricingTax[] }): Totals & { readonly taxed: Taxed } {
  const { currency, rounding = "half-up", discountAmount = 0 } = input;
  const rules = input.taxes.map(({ name = "", kind = "tax", inclusive = false, on = [], ...tax }) => {
    return { ...tax, name, kind, inclusive, on };
  });
  const lines = settledLines(input)._unsafeUnwrap();
  const discount = toMinor(discountAmount, currency) ?? 0;
  const taxation = { kind: "taxes" as const, taxes: rules };
  const totals = computeTotals({ currency, rounding, lines, discount, taxation })._unsafeUnwrap();
  const { taxed } = totals;
  if (taxed === undefined) throw new Error("the taxes are missing");
  return { ...totals, taxed };
}

function withTaxes(input: PricingInput, taxes: readonly PricingTax[]) {
  const items = input.items.map(({ taxes: _, ...line }) => line);
  const { taxRate: _, ...rest } = input;
  return { ...rest, items, taxes };
}

const sumOf = (amounts: Iterable<number>) => [...amounts].reduce((sum, each) => sum + each, 0);

/** Every number of a value, with its name. */
function numbersOf(value: unknown, name = ""): [string, number][] {
  if (typeof value === "number") return [[name, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => numbersOf(each, key));
}

describe("the laws of prices", () => {
  it("total is subtotal less discount plus tax, and payable is total less what is withheld", () => {
    const law = fc.property(pricedBudgets, (input) => {
      const minor = (amount: number) => toMinor(amount, input.currency) ?? 0;
      const { subtotal, discount, tax, total, withheld = 0, payable = total } = figuresOf(input);
      expect(minor(total)).toBe(minor(subtotal) - minor(discount) + minor(tax));
      expect(minor(payable)).toBe(minor(total) - minor(withheld));
    });
    fc.assert(law, runs);
  });

  it("the lines sum to the budget, in each tax too", () => {
    const law = fc.property(taxedBudgets, ({ taxes = [], ...input }) => {
      const { subtotal, discount, tax, lines, taxed } = totalsOf({ ...input, taxes });
      expect(sumOf(lines.totals)).toBe(subtotal);
      expect(sumOf(lines.discounts)).toBe(discount);
      expect(sumOf(lines.taxes)).toBe(tax);
      for (const { rule, amount, shares } of taxed.taxes) {
        expect(sumOf(shares)).toBe(amount);
        const strangers = input.items.map((line) => line.taxes?.includes(rule.id) === false);
        expect(shares.filter((_, index) => strangers[index] === true && shares[index] !== 0)).toHaveLength(0);
      }
    });
    fc.assert(law, runs);
  });

  it("a line's net amount and the taxes that its price contains are what the discount leaves of the price", () => {
    const law = fc.property(taxedBudgets, ({ taxes = [], ...input }) => {
      const { lines, taxed } = totalsOf({ ...input, taxes });
      const amounts = totalsOf({ ...input, taxes: taxes.map((tax) => ({ ...tax, inclusive: false, rate: 0 })) }).lines
        .totals;
      const given = amounts.slice();
      allocate(taxed.discount, given, sumOf(given));
      const contained = taxed.taxes.filter(({ rule }) => rule.inclusive).map(({ shares }) => shares);
      const prices = lines.totals.map(
        (total, index) => total - (lines.discounts[index] ?? 0) + sumOf(contained.map((shares) => shares[index] ?? 0)),
      );
      expect(prices).toEqual(amounts.map((amount, index) => amount - (given[index] ?? 0)));
    });
    fc.assert(law, runs);
  });

  it("one tax that all prices contain gives back their sum less the discount", () => {
    const law = fc.property(pricedBudgets, fc.integer({ min: 0, max: 10_000 }), (input, parts) => {
      const { discountAmount = 0, currency } = input;
      const without = figuresOf({ ...withTaxes(input, []), discountAmount: 0 });
      const gross = toMinor(without.subtotal, currency) ?? 0;
      const figures = figuresOf(withTaxes(input, [{ id: "vat", rate: parts / 10_000, inclusive: true }]));
      expect(toMinor(figures.total, currency)).toBe(gross - (toMinor(discountAmount, currency) ?? 0));
    });
    fc.assert(law, runs);
  });

  it("taxes that are on no other may be given in any order", () => {
    const law = fc.property(taxedBudgets, ({ taxes = [], ...input }) => {
      const independent = taxes.map(({ on: _, ...tax }) => tax);
      const forth = priceBudget({ ...input, taxes: independent });
      const back = priceBudget({ ...input, taxes: [...independent].reverse() });
      expect(back.isOk()).toBe(forth.isOk());
      if (forth.isErr() || back.isErr()) return;
      const { taxes: one = [], trace: _one, ...figures } = forth.value;
      const { taxes: other = [], trace: _other, ...others } = back.value;
      expect(others).toEqual(figures);
      expect([...other].reverse().filter(({ inclusive }) => !inclusive)).toEqual(
        one.filter(({ inclusive }) => !inclusive),
      );
    });
    fc.assert(law, runs);
  });

  it("one added tax in taxes has the figures of the same taxRate", () => {
    const law = fc.property(pricedBudgets, fc.integer({ min: 0, max: 10_000 }), (input, parts) => {
      const rate = parts / 10_000;
      const taxed = priceBudget(withTaxes(input, [{ id: "vat", rate }]));
      const { taxes: _, ...plain } = { ...withTaxes(input, []), taxRate: rate };
      const rated = priceBudget(plain);
      if (rated.isErr()) {
        expect(taxed._unsafeUnwrapErr()).toEqual(rated.error);
        return;
      }
      const { trace: _taxed, taxes, ...figures } = taxed._unsafeUnwrap();
      const { trace: _rated, ...expected } = rated.value;
      expect(figures).toEqual(expected);
      expect(taxes).toMatchObject([{ amount: expected.tax }]);
    });
    fc.assert(law, runs);
  });

  it("a discount of everything leaves exactly 0", () => {
    const law = fc.property(taxedBudgets, ({ discountAmount: _, ...input }) => {
      const { subtotal } = figuresOf(withTaxes(input, []));
      const figures = figuresOf({ ...input, discountAmount: subtotal });
      expect(figures).toMatchObject({ tax: 0, total: 0, subtotal: figures.discount });
      expect(figures.items.filter(({ tax = 0 }) => tax !== 0)).toEqual([]);
    });
    fc.assert(law, runs);
  });

  it("no figure but the margin is negative, or minus zero", () => {
    const law = fc.property(pricedBudgets, (input) => {
      const wrong = numbersOf(figuresOf(input)).filter(
        ([name, amount]) => Object.is(amount, -0) || (amount < 0 && name !== "margin"),
      );
      expect(wrong).toEqual([]);
    });
    fc.assert(law, runs);
  });

  it("a selection that is changed and changed back gives the figures of before", () => {
    const law = fc.property(pricedBudgets, (input) => {
      const items = input.items.map((line, index) => ({ ...line, id: `line-${index}` }));
      const before = figuresOf({ ...input, items });
      const select = (lines: typeof items, selection: SelectedLine) =>
        applySelection(lines, [selection])
          ._unsafeUnwrap()
          .map((line) => ({ ...line }));
      for (const { id, optional, selected = false, quantity = 0, quantityRange } of items) {
        if (optional === true) {
          const there = select(items, { itemId: id, selected: !selected });
          expect(figuresOf({ ...input, items: select(there, { itemId: id, selected }) })).toEqual(before);
        }
        for (const end of [quantityRange?.minimum, quantityRange?.maximum]) {
          if (end === undefined) continue;
          const there = select(items, { itemId: id, quantity: end });
          expect(figuresOf({ ...input, items: select(there, { itemId: id, quantity }) })).toEqual(before);
        }
      }
    });
    fc.assert(law, runs);
  });

  it("every step of the trace adds up, and has the form of the description", () => {
    const units = (text: string) => BigInt(text.replace(".", "")); // amounts have all places of their currency
    const sum = (texts: readonly string[]) => texts.reduce((total, text) => total + units(text), 0n);
    const law = fc.property(pricedBudgets, (input) => {
      const { trace } = priceBudget(input)._unsafeUnwrap();
      for (const step of trace) {
        expect(traceStepSchema.parse(step)).toEqual(step);
        if (step.step === "contained-tax") {
          expect(sum(step.shares)).toBe(units(step.rounded));
          expect(units(step.net)).toBe(units(step.gross) - units(step.rounded));
        }
        if (step.step !== "spread") continue;
        expect(sum(step.shares.map(({ share }) => share))).toBe(units(step.amount));
        for (const { roundedDown, extraUnit, share } of units(step.sum) === 0n ? [] : step.shares) {
          expect(units(share)).toBe(units(roundedDown) + BigInt(extraUnit));
        }
      }
    });
    fc.assert(law, runs);
  });

  it("a number that makes no sense is refused, or priced without a figure that makes none", () => {
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, -1, -0, 0, 1e-7, 1e308, 5e-324, 0.1 + 0.2, 2 ** 53];
    const law = fc.property(budgets, fc.nat(), fc.constantFrom(...odd), (input, place, value) => {
      const paths = pathsOfNumbers(input);
      const changed = withNumber(input, paths[place % paths.length] ?? [], value);
      const priced = priceBudget(changed);
      if (priced.isErr()) return;
      expect(priced.value.trace.length).toBeGreaterThan(0);
      expect(
        numbersOf(figuresOf(changed)).filter(([, figure]) => !Number.isFinite(figure) || Object.is(figure, -0)),
      ).toEqual([]);
    });
    fc.assert(law, { numRuns: runs.numRuns * 5 });
  });
});

function pathsOfNumbers(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === "number") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => pathsOfNumbers(each, [...path, key]));
}

function withNumber<T>(value: T, [key, ...rest]: readonly string[], number: number): T {
  if (key === undefined) return value;
  const copy = structuredClone(value);
  let target: unknown = copy;
  for (const each of [key, ...rest].slice(0, -1)) target = Object(target)[each];
  Object(target)[rest.at(-1) ?? key] = number;
  return copy;
}
