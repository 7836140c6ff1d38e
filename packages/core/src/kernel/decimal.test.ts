import { rounds } from "@budgetkit/testing";
import { Decimal as Oracle } from "decimal.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalOf, decimalPlaces, decimalText, divideRounded, multiply, roundProduct, roundTo } from "./decimal.js";

const Exact = Oracle.clone({ precision: 700, toExpNeg: -9e15, toExpPos: 9e15 });

function exactValueOf({ digits, scale }: { digits: number | bigint; scale: number }): Oracle {
  return new Exact(digits.toString()).div(new Exact(10).pow(scale));
}

describe("exact decimals", () => {
  it("reads a double as the shortest decimal that identifies it", () => {
    for (const value of [0, 0.1, 0.29, 1.005, 4.35, 1e21, 1.5e-7, 5e-324, 2 ** 53 + 2, -2.675, 123.456]) {
      expect(exactValueOf(decimalOf(value)).equals(new Exact(String(value)))).toBe(true);
    }
  });

  it("reads any finite double as an exact decimal", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) =>
        exactValueOf(decimalOf(value)).equals(new Exact(String(value))),
      ),
      { numRuns: rounds({ small: 1_000, full: 5_000 }) },
    );
  });

  it("refuses to read values that are no finite number as decimals", () => {
    expect(() => decimalOf(Number.NaN)).toThrow(RangeError);
    expect(() => decimalOf(Number.POSITIVE_INFINITY)).toThrow(RangeError);
  });

  it("decimalPlaces counts the decimals that a number is written with", () => {
    const places = [1, 10, 1.5, 1.25, 0.001, 1e-7, 1e21, 100.1].map(decimalPlaces);
    expect(places).toEqual([0, 0, 1, 2, 3, 7, 0, 1]);
  });

  it.each([
    [1.005, 2, "half-up", 101],
    [1.005, 2, "half-even", 100],
    [1.015, 2, "half-even", 102],
    [2.5, 0, "half-up", 3],
    [2.5, 0, "half-even", 2],
    [-2.5, 0, "half-up", -3],
    [-2.5, 0, "half-even", -2],
    [2.4, 0, "half-up", 2],
    [7, 2, "half-up", 700],
    [1e-20, 2, "half-up", 0],
    [1e21, 2, "half-up", 10n ** 23n],
  ] as const)("rounds %s to %i places %s as %s", (value, places, rounding, expected) => {
    expect(roundTo(decimalOf(value), places, rounding)).toBe(expected);
  });

  it("divides integers beyond 2^53 with the same rounding", () => {
    const huge = 10n ** 20n;
    expect(divideRounded(huge * 2n + huge / 2n, huge, "half-up")).toBe(3);
    expect(divideRounded(huge * 2n + huge / 2n, huge, "half-even")).toBe(2);
    expect(divideRounded(huge * 3n + huge / 2n, huge, "half-even")).toBe(4);
    expect(divideRounded(-(huge * 2n + huge / 2n), huge, "half-up")).toBe(-3);
    expect(divideRounded(huge * 2n + 1n, huge, "half-up")).toBe(2);
    expect(divideRounded(-(huge * 2n + 1n), huge, "half-up")).toBe(-2);
  });

  it("multiplies and rounds decimals as an independent library does", () => {
    const amount = fc.double({ noNaN: true, min: -1e12, max: 1e12 });
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 0, max: 4 }), fc.boolean(), (a, b, places, even) => {
        const rounded = roundTo(multiply(decimalOf(a), decimalOf(b)), places, even ? "half-even" : "half-up");
        const oracle = new Exact(String(a))
          .times(new Exact(String(b)))
          .toDecimalPlaces(places, even ? Exact.ROUND_HALF_EVEN : Exact.ROUND_HALF_UP)
          .times(new Exact(10).pow(places));
        return oracle.equals(rounded.toString());
      }),
      { numRuns: rounds({ small: 1_000, full: 5_000 }) },
    );
  });

  it("rounds a product like the exact product, on the fast and the slow path", () => {
    const plain = fc.integer({ min: 0, max: 1e12 }).map((hundredths) => hundredths / 100);
    const small = fc.integer({ min: 0, max: 30_000_000 }).map((hundredths) => hundredths / 100);
    const number = fc.oneof(small, plain, fc.double({ noNaN: true, min: 0, max: 1e12 }));
    fc.assert(
      fc.property(number, number, fc.constantFrom(0, 2, 3, 4), fc.boolean(), (a, b, places, even) => {
        const rounding = even ? "half-even" : "half-up";
        expect(roundProduct(a, b, places, rounding)).toBe(
          Number(roundTo(multiply(decimalOf(a), decimalOf(b)), places, rounding)),
        );
      }),
      { numRuns: rounds({ small: 1_000, full: 5_000 }) },
    );
  });

  it.each([
    [{ digits: 2350, scale: 2 }, "23.50"],
    [{ digits: 5, scale: 3 }, "0.005"],
    [{ digits: 12, scale: 0 }, "12"],
    [{ digits: 10n ** 17n + 1n, scale: 17 }, "1.00000000000000001"],
  ])("writes a decimal in digits: %#", (decimal, text) => {
    expect(decimalText(decimal)).toBe(text);
  });
});
