import { rounds } from "@budgetkit/testing";
import { Decimal as Oracle } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exponentOf } from "../kernel/currency.js";
import { maxAmountOf, maxMinorOf } from "../kernel/money.js";
import { reconcileTotals } from "./given-totals.js";
import { sectionsOf } from "./line-kind.js";
import { computeTotals } from "./totals.js";
import type { Line, TotalsInput } from "./totals-parts.js";
import type { TotalsStep } from "./totals-step.js";
import { totalsTraceOf } from "./totals-trace.js";

const Exact = Oracle.clone({ precision: 120 });

const decimals = (max: number) =>
  fc
    .tuple(fc.integer({ min: 0, max }), fc.integer({ min: 0, max: 6 }))
    .map(([digits, places]) => digits / 10 ** places);
const rate = fc.oneof(
  fc.constantFrom(0, 0.1, 0.125, 0.5, 1),
  fc.integer({ min: 0, max: 100_000 }).map((parts) => parts / 100_000),
  fc.double({ min: 0, max: 1, noNaN: true }),
);
const price = { quantity: decimals(10_000), unitPrice: decimals(10 ** 9) };
const line: fc.Arbitrary<Line> = fc.oneof(
  fc.record(price),
  fc.record({ ...price, kind: fc.constant("item" as const), discountRate: rate }),
  fc.record({ ...price, discountAmount: fc.integer({ min: 0, max: 5_000 }) }),
  fc.record({
    kind: fc.constantFrom("heading" as const, "text" as const, "subtotal" as const),
    quantity: fc.constant(0),
    unitPrice: fc.constant(0),
  }),
);
const input = fc
  .record({
    currency: fc.constantFrom("JPY", "USD", "BHD", "CLF"),
    rounding: fc.constantFrom("half-up" as const, "half-even" as const),
    lines: fc.array(line, { minLength: 1, maxLength: 10 }),
    discount: fc.integer({ min: 0, max: 10_000 }),
    taxation: rate.map((rate) => ({ kind: "rate" as const, rate })),
  })
  .filter(({ lines }) => lines.some(({ kind = "item" }) => kind === "item"));

/** The line totals by the decimal library alone; null = a line's discount is more than its amount. */
function exactTotals({ currency, rounding, lines }: Pick<TotalsInput, "currency" | "rounding" | "lines">) {
  const mode = rounding === "half-up" ? Exact.ROUND_HALF_UP : Exact.ROUND_HALF_EVEN;
  const exact = lines.map(({ quantity, unitPrice, discountRate, discountAmount }) => {
    const amount = new Exact(String(quantity)).times(String(unitPrice)).times(new Exact(10).pow(exponentOf(currency)));
    const gross = amount.toDecimalPlaces(0, mode);
    const discount = discountRate === undefined ? (discountAmount ?? 0) : gross.times(String(discountRate));
    return { gross, total: gross.minus(new Exact(discount).toDecimalPlaces(0, mode)) };
  });
  return exact.some(({ total }) => total.isNegative() && !total.isZero()) ? null : exact;
}

/** The sums of subtotal lines, from each line backwards to where its section begins. */
function exactSections({ lines }: Pick<TotalsInput, "lines">, totals: readonly Oracle[]) {
  return lines.flatMap(({ kind }, index) => {
    if (kind !== "subtotal") return [];
    let begin = index;
    while (begin > 0 && lines[begin - 1]?.kind !== "heading" && lines[begin - 1]?.kind !== "subtotal") begin -= 1;
    return [
      [
        index,
        totals
          .slice(begin, index)
          .reduce((sum, each) => sum.plus(each), new Exact(0))
          .toNumber(),
      ],
    ];
  });
}

const sumOf = (amounts: Iterable<number>) => [...amounts].reduce((sum, each) => sum + each, 0);
const usd = { currency: "USD", rounding: "half-up", discount: 0, taxation: { kind: "rate", rate: 0 } } as const;
const one = { quantity: 1, unitPrice: 10 };
const heading = { kind: "heading", quantity: 0, unitPrice: 0 } as const;
const subtotal = { kind: "subtotal", quantity: 0, unitPrice: 0 } as const;

describe("lines", () => {
  it("lines agree with an independent decimal library, with their own discounts and sections", () => {
    let compared = 0;
    fc.assert(
      fc.property(input, (given) => {
        const exact = exactTotals(given);
        const result = computeTotals(given);
        const max = maxMinorOf(given.currency);
        const gross = exact?.some((each) => each.gross.gt(max)) ?? false;
        if (exact === null || gross) {
          expect(result.isErr()).toBe(true);
          return;
        }
        const totals = exact.map(({ total }) => total);
        const sum = totals.reduce((all, each) => all.plus(each), new Exact(0));
        if (sum.gt(max) || sum.lt(given.discount)) {
          expect(result.isErr()).toBe(true);
          return;
        }
        const mode = given.rounding === "half-up" ? Exact.ROUND_HALF_UP : Exact.ROUND_HALF_EVEN;
        const tax = sum.minus(given.discount).times(String(given.taxation.rate)).toDecimalPlaces(0, mode);
        const total = sum.minus(given.discount).plus(tax);
        if (total.gt(max)) {
          expect(result._unsafeUnwrapErr()).toMatchObject({ rule: "AMOUNT_TOO_LARGE" });
          return;
        }
        compared += 1;
        const { lines, ...figures } = result._unsafeUnwrap();
        expect([...lines.totals]).toEqual(totals.map((each) => each.toNumber()));
        expect(figures).toEqual({
          subtotal: sum.toNumber(),
          discount: given.discount,
          tax: tax.toNumber(),
          total: total.toNumber(),
        });
        expect(sumOf(lines.discounts)).toBe(given.discount);
        expect(sumOf(lines.taxes)).toBe(tax.toNumber());
        given.lines.forEach(({ kind = "item" }, index) => {
          if (kind !== "item")
            expect([lines.totals[index], lines.discounts[index], lines.taxes[index]]).toEqual([0, 0, 0]);
        });
        const sections = [...sectionsOf(given.lines, lines.totals)].map(([index, section]) => [index, section.total]);
        expect(sections).toEqual(exactSections(given, totals));
      }),
      { numRuns: rounds({ small: 1_000, full: 10_000 }), seed: 20_261_122 },
    );
    expect(compared).toBeGreaterThan(rounds({ small: 200, full: 2_000 }));
  });

  it.each(["JPY", "USD", "BHD", "CLF"])("discounts the largest amount in %s exactly", (currency) => {
    const unitPrice = maxAmountOf(currency);
    const max = maxMinorOf(currency);
    for (const [rate, left] of [
      [0.5, max / 2],
      [1, 0],
      [0, max],
    ] as const) {
      const lines = [{ quantity: 1, unitPrice, discountRate: rate }];
      expect(computeTotals({ ...usd, currency, lines })._unsafeUnwrap().total).toBe(
        currency === "JPY" && rate === 0.5 ? Math.floor(left) : left,
      );
    }
    const all = [{ quantity: 1, unitPrice, discountAmount: max }];
    expect(computeTotals({ ...usd, currency, lines: all })._unsafeUnwrap().total).toBe(0);
  });

  it("refuses a line whose amount is too large, even if its discount leaves little (AMOUNT_TOO_LARGE)", () => {
    const lines = [{ quantity: 2, unitPrice: 2 ** 46, discountRate: 1 }];
    expect(computeTotals({ ...usd, lines })._unsafeUnwrapErr()).toMatchObject({
      rule: "AMOUNT_TOO_LARGE",
      details: { field: "items[0].total" },
    });
  });

  it("refuses a discount above the amount of its line, with both (DISCOUNT_EXCEEDS_ITEM)", () => {
    const lines = [heading, { ...one, discountAmount: 1_001 }];
    expect(computeTotals({ ...usd, lines })._unsafeUnwrapErr()).toMatchObject({
      rule: "DISCOUNT_EXCEEDS_ITEM",
      details: { field: "items[1].discountAmount", max: 10 },
    });
  });

  it("rounds half a minor unit of a discount by the rounding rule", () => {
    const lines = [{ quantity: 1, unitPrice: 0.25, discountRate: 0.1 }]; // 2.5 cents
    expect(computeTotals({ ...usd, lines })._unsafeUnwrap().total).toBe(22);
    expect(computeTotals({ ...usd, lines, rounding: "half-even" })._unsafeUnwrap().total).toBe(23);
  });

  it("assigns a tax on free items to the first item, not to a heading", () => {
    const lines = [heading, { quantity: 1, unitPrice: 0 }, { quantity: 1, unitPrice: 0 }];
    const taxation = { kind: "amount", amount: 5 } as const;
    const steps: TotalsStep[] = [];
    const totals = computeTotals({ ...usd, lines, taxation }, steps)._unsafeUnwrap();
    expect([...totals.lines.taxes]).toEqual([0, 5, 0]);
    expect(totalsTraceOf(steps, "USD").at(-1)).toMatchObject({ step: "spread", shares: [{ item: 1 }, { item: 2 }] });
  });

  it("accepts the client's line totals after the discount, within one minor unit for each item", () => {
    const lines = [heading, { ...one, discountRate: 0.1 }, { ...one, discountAmount: 50 }, subtotal];
    const reconcile = (given: readonly (number | null)[], subtotal: number | null = null) =>
      reconcileTotals({ ...usd, lines }, { lines: given, subtotal, tax: null, total: null });
    expect(reconcile([null, 901, null, null])._unsafeUnwrap().subtotal).toBe(1_851);
    expect(reconcile([null, 1_000])._unsafeUnwrapErr()).toMatchObject({
      rule: "TOTALS_MISMATCH",
      details: { field: "items[1].total", given: 10, computed: 9 },
    });
    expect(reconcile([null, null, null, 1_852]).isOk()).toBe(true);
    expect(reconcile([null, null, null, 1_853])._unsafeUnwrapErr()).toMatchObject({
      rule: "TOTALS_MISMATCH",
      details: { field: "items[3].total", given: 18.53, computed: 18.5 },
    });
    expect(reconcile([], 1_852).isOk()).toBe(true);
    expect(reconcile([], 1_853).isErr()).toBe(true); // four lines, two items
  });

  it("traces the amount of a line, its discount and its section", () => {
    const steps: TotalsStep[] = [];
    const lines = [heading, { ...one, discountRate: 0.125 }, { ...one, discountAmount: 50 }, subtotal];
    reconcileTotals({ ...usd, lines }, { lines: [], subtotal: null, tax: null, total: null }, steps)._unsafeUnwrap();
    expect(totalsTraceOf(steps, "USD").slice(0, 6)).toEqual([
      { step: "line", item: 1, quantity: "1", unitPrice: "10", exact: "10", rounded: "10.00", rule: "half-up" },
      {
        step: "item-discount",
        item: 1,
        gross: "10.00",
        discountRate: "0.125",
        exact: "1.25",
        rule: "half-up",
        discount: "1.25",
        total: "8.75",
      },
      { step: "line", item: 2, quantity: "1", unitPrice: "10", exact: "10", rounded: "10.00", rule: "half-up" },
      { step: "item-discount", item: 2, gross: "10.00", discount: "0.50", total: "9.50" },
      { step: "section", item: 3, total: "18.25" },
      { step: "subtotal", subtotal: "18.25" },
    ]);
  });
});
