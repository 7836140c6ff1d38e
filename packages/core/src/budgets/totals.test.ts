import { Decimal as Oracle } from "decimal.js";
import { describe, expect, it } from "vitest";
import { exponentOf } from "../kernel/currency.js";
import { MAX_MINOR } from "../kernel/money.js";
import { computeTotals, type TotalsInput } from "./totals.js";

const Exact = Oracle.clone({ precision: 120 });

function totalsInput(overrides: Partial<TotalsInput>): TotalsInput {
  return {
    currency: "USD",
    rounding: "half-up",
    lines: [{ quantity: 1, unitPrice: 100 }],
    discount: 0,
    taxation: { kind: "rate", rate: 0 },
    ...overrides,
  };
}

/** A small generator with a seed of its own, so that the hundred thousand budgets are the same at every run. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

describe("totals", () => {
  it("are those of the contract: tax on what remains after the discount", () => {
    const totals = computeTotals(
      totalsInput({
        lines: [
          { quantity: 2, unitPrice: 10.5 },
          { quantity: 3, unitPrice: 0.333 },
        ],
        discount: 200,
        taxation: { kind: "rate", rate: 0.21 },
      }),
    )._unsafeUnwrap();
    expect(totals).toEqual({
      subtotal: 2200,
      discount: 200,
      tax: 420,
      total: 2420,
      lines: {
        totals: Float64Array.of(2100, 100),
        discounts: Float64Array.of(191, 9),
        taxes: Float64Array.of(401, 19),
      },
    });
  });

  it("round half a minor unit up, or to even when asked", () => {
    const half = { lines: [{ quantity: 1, unitPrice: 2.345 }] };
    expect(computeTotals(totalsInput(half))._unsafeUnwrap().total).toBe(235);
    expect(computeTotals(totalsInput({ ...half, rounding: "half-even" }))._unsafeUnwrap().total).toBe(234);
  });

  it("take a tax that is given as an amount as it is", () => {
    const totals = computeTotals(totalsInput({ taxation: { kind: "amount", amount: 2100 } }))._unsafeUnwrap();
    expect(totals).toMatchObject({ subtotal: 10_000, tax: 2100, total: 12_100 });
  });

  it("refuse a discount above the subtotal", () => {
    expect(computeTotals(totalsInput({ discount: 10_001 }))._unsafeUnwrapErr()).toMatchObject({
      rule: "DISCOUNT_EXCEEDS_SUBTOTAL",
    });
    expect(computeTotals(totalsInput({ discount: 10_000 }))._unsafeUnwrap().total).toBe(0);
  });

  it.each([
    ["items[0].total", { lines: [{ quantity: 1e9, unitPrice: 1e9 }] }],
    ["items[0].total", { lines: [{ quantity: 1e15, unitPrice: 1e15 }] }],
    [
      "subtotal",
      {
        lines: [
          { quantity: 1, unitPrice: MAX_MINOR / 100 },
          { quantity: 1, unitPrice: 1 },
        ],
      },
    ],
    ["total", { currency: "JPY", lines: [{ quantity: 1, unitPrice: MAX_MINOR }], taxation: { kind: "rate", rate: 1 } }],
  ] as const)("refuse what cannot be held exactly, naming %s", (field, overrides) => {
    expect(computeTotals(totalsInput(overrides))._unsafeUnwrapErr()).toMatchObject({
      rule: "AMOUNT_TOO_LARGE",
      details: { field },
    });
  });

  it("hold the largest amount exactly", () => {
    const lines = [{ quantity: 1, unitPrice: MAX_MINOR }];
    expect(computeTotals(totalsInput({ currency: "JPY", lines }))._unsafeUnwrap().total).toBe(MAX_MINOR);
  });

  it("agree with an independent decimal library on 100,000 random budgets", () => {
    const seed = 20_261_120;
    const random = mulberry32(seed);
    const below = (limit: number) => Math.floor(random() * limit);
    let differences = 0;
    let refused = 0;
    for (let run = 0; run < 100_000; run += 1) {
      const currency = ["JPY", "USD", "BHD", "CLF"][below(4)] ?? "USD";
      const rounding = random() < 0.5 ? "half-up" : "half-even";
      const mode = rounding === "half-up" ? Exact.ROUND_HALF_UP : Exact.ROUND_HALF_EVEN;
      const minorUnit = new Exact(10).pow(exponentOf(currency));
      const lines = Array.from({ length: 1 + below(6) }, () => ({
        quantity: (1 + below(10 ** (1 + below(7)))) / 10 ** below(7),
        unitPrice: below(10 ** (1 + below(9))) / 10 ** below(7),
      }));
      const lineTotals = lines.map(({ quantity, unitPrice }) =>
        new Exact(String(quantity)).times(String(unitPrice)).times(minorUnit).toDecimalPlaces(0, mode),
      );
      const subtotal = lineTotals.reduce((sum, each) => sum.plus(each), new Exact(0));
      const discount = Math.floor(random() * (subtotal.toNumber() + 1));
      const rate = below(10_001) / 10_000;
      const taxable = subtotal.minus(discount);
      const tax = taxable.times(String(rate)).toDecimalPlaces(0, mode);
      const totals = computeTotals({ currency, rounding, lines, discount, taxation: { kind: "rate", rate } });
      if (taxable.plus(tax).gt(MAX_MINOR) || subtotal.gt(MAX_MINOR)) {
        if (totals.isOk()) differences += 1;
        refused += 1;
        continue;
      }
      const found = totals._unsafeUnwrap();
      const sumOf = (figures: Float64Array) => figures.reduce((sum, each) => sum + each, 0);
      const agrees =
        subtotal.equals(found.subtotal) &&
        tax.equals(found.tax) &&
        taxable.plus(tax).equals(found.total) &&
        found.lines.totals.every((total, index) => lineTotals[index]?.equals(total)) &&
        sumOf(found.lines.totals) === found.subtotal &&
        sumOf(found.lines.discounts) === discount &&
        sumOf(found.lines.taxes) === found.tax;
      if (!agrees) differences += 1;
    }
    expect(differences, `seed ${seed}`).toBe(0);
    expect(refused).toBeLessThan(10_000); // most of them compare figures
  }, 120_000);
});
