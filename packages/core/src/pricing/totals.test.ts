import { setImmediate } from "node:timers/promises";
import { rounds } from "@budgetkit/testing";
import { Decimal as Oracle } from "decimal.js";
import { describe, expect, it } from "vitest";
import { exponentOf } from "../kernel/currency.js";
import { maxAmountOf, maxMinorOf } from "../kernel/money.js";
import { computeTotals } from "./totals.js";
import type { Totals, TotalsInput } from "./totals-parts.js";

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

const BUDGETS = rounds({ small: 5_000, full: 100_000 });
const SEED = 20_261_120;

describe("totals", () => {
  it("computes totals as the contract does: tax on what remains after the discount", () => {
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

  it("rounds half a minor unit up, or to even on request", () => {
    const half = { lines: [{ quantity: 1, unitPrice: 2.345 }] };
    expect(computeTotals(totalsInput(half))._unsafeUnwrap().total).toBe(235);
    expect(computeTotals(totalsInput({ ...half, rounding: "half-even" }))._unsafeUnwrap().total).toBe(234);
  });

  it("uses a tax that is given as an amount unchanged", () => {
    const totals = computeTotals(totalsInput({ taxation: { kind: "amount", amount: 2100 } }))._unsafeUnwrap();
    expect(totals).toMatchObject({ subtotal: 10_000, tax: 2100, total: 12_100 });
  });

  it("refuses a discount above the subtotal (DISCOUNT_EXCEEDS_SUBTOTAL)", () => {
    expect(computeTotals(totalsInput({ discount: 10_001 }))._unsafeUnwrapErr()).toMatchObject({
      rule: "DISCOUNT_EXCEEDS_SUBTOTAL",
    });
    expect(computeTotals(totalsInput({ discount: 10_000 }))._unsafeUnwrap().total).toBe(0);
  });

  it.each([
    ["items[0].total", { lines: [{ quantity: 1e9, unitPrice: 1e9 }] }],
    ["items[0].total", { lines: [{ quantity: 1e15, unitPrice: 1e12 }] }],
    ["items[0].unitPrice", { lines: [{ quantity: 0.001, unitPrice: 2 ** 46 + 1 }] }],
    [
      "subtotal",
      {
        lines: [
          { quantity: 1, unitPrice: 2 ** 46 },
          { quantity: 1, unitPrice: 1 },
        ],
      },
    ],
    [
      "total",
      { currency: "JPY", lines: [{ quantity: 1, unitPrice: 2 ** 53 - 1 }], taxation: { kind: "rate", rate: 1 } },
    ],
    ["total", { lines: [{ quantity: 1, unitPrice: 2 ** 46 }], taxation: { kind: "amount", amount: 1 } }],
  ] as const)("refuses totals that cannot be held exactly, at %s (AMOUNT_TOO_LARGE)", (field, overrides) => {
    expect(computeTotals(totalsInput(overrides))._unsafeUnwrapErr()).toMatchObject({
      rule: "AMOUNT_TOO_LARGE",
      details: { field },
    });
  });

  it.each(["JPY", "USD", "BHD", "CLF"])("computes the largest amount in %s exactly", (currency) => {
    const lines = [{ quantity: 1, unitPrice: maxAmountOf(currency) }];
    expect(computeTotals(totalsInput({ currency, lines }))._unsafeUnwrap().total).toBe(maxMinorOf(currency));
  });

  it("totals agree with an independent decimal library on random budgets", async () => {
    const draw = drawFrom(mulberry32(SEED));
    const differing: unknown[] = [];
    let refused = 0;
    for (let run = 0; run < BUDGETS; run += 1) {
      if (run % 1_000 === 0) await setImmediate(); // lets the test runner reach this worker: it gives up after a minute
      const input = drawInput(draw);
      const exact = exactTotals(input);
      const totals = computeTotals(input);
      const max = maxMinorOf(input.currency);
      const isTooLarge = exact.total.gt(max) || exact.subtotal.gt(max);
      if (isTooLarge) refused += 1;
      if (isTooLarge ? totals.isOk() : !totals.isOk() || !agrees(totals.value, exact)) differing.push(input);
    }
    expect(differing, `seed ${SEED}`).toEqual([]);
    expect(refused).toBeLessThan(BUDGETS / 10); // else too few runs compare amounts
  });
});

type Draw = ReturnType<typeof drawFrom>;
type RatedInput = TotalsInput & { readonly discount: number; readonly taxation: { kind: "rate"; rate: number } };

/** A seeded generator: every run draws the same budgets. It is quicker than seededRandom, which counts here. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function drawFrom(next: () => number) {
  return { share: next, below: (limit: number) => Math.floor(next() * limit) };
}

function drawInput({ share, below }: Draw): RatedInput {
  const base = {
    currency: ["JPY", "USD", "BHD", "CLF"][below(4)] ?? "USD",
    rounding: share() < 0.5 ? ("half-up" as const) : ("half-even" as const),
    lines: Array.from({ length: 1 + below(6) }, () => ({
      quantity: (1 + below(10 ** (1 + below(7)))) / 10 ** below(7),
      unitPrice: below(10 ** (1 + below(9))) / 10 ** below(7),
    })),
  };
  const subtotal = exactSubtotal(exactLines(base));
  const discount = Math.floor(share() * (subtotal.toNumber() + 1));
  return { ...base, discount, taxation: { kind: "rate", rate: below(10_001) / 10_000 } };
}

interface ExactTotals {
  readonly lines: readonly Oracle[];
  readonly discount: number;
  readonly subtotal: Oracle;
  readonly tax: Oracle;
  readonly total: Oracle;
}

/** The totals by the decimal library alone. */
function exactTotals(input: RatedInput): ExactTotals {
  const lines = exactLines(input);
  const subtotal = exactSubtotal(lines);
  const taxable = subtotal.minus(input.discount);
  const tax = taxable.times(String(input.taxation.rate)).toDecimalPlaces(0, modeOf(input));
  return { lines, discount: input.discount, subtotal, tax, total: taxable.plus(tax) };
}

function exactLines({ currency, rounding, lines }: Pick<TotalsInput, "currency" | "rounding" | "lines">): Oracle[] {
  const minorUnit = new Exact(10).pow(exponentOf(currency));
  return lines.map(({ quantity, unitPrice }) =>
    new Exact(String(quantity)).times(String(unitPrice)).times(minorUnit).toDecimalPlaces(0, modeOf({ rounding })),
  );
}

function exactSubtotal(lines: readonly Oracle[]): Oracle {
  return lines.reduce((sum, each) => sum.plus(each), new Exact(0));
}

function modeOf({ rounding }: Pick<TotalsInput, "rounding">) {
  return rounding === "half-up" ? Exact.ROUND_HALF_UP : Exact.ROUND_HALF_EVEN;
}

function agrees(found: Totals, exact: ExactTotals): boolean {
  const sumOf = (amounts: Float64Array) => amounts.reduce((sum, each) => sum + each, 0);
  return (
    exact.subtotal.equals(found.subtotal) &&
    exact.tax.equals(found.tax) &&
    exact.total.equals(found.total) &&
    found.lines.totals.every((total, index) => exact.lines[index]?.equals(total)) &&
    sumOf(found.lines.totals) === found.subtotal &&
    sumOf(found.lines.discounts) === exact.discount &&
    sumOf(found.lines.taxes) === found.tax
  );
}
