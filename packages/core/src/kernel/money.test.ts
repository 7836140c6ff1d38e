import { rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exponentOf, isCurrency } from "./currency.js";
import { fromMinor, maxAmountOf, maxMinorOf, toMinor } from "./money.js";

describe("currencies", () => {
  it("isCurrency accepts the codes of ISO 4217, in upper case only", () => {
    expect(["USD", "EUR", "JPY", "BHD", "CLF", "ARS"].every(isCurrency)).toBe(true);
    expect(["usd", "XXX", "", "US", "BTC", "DEM", "__proto__"].some(isCurrency)).toBe(false);
  });

  it("exponentOf returns the minor unit of ISO 4217, not the customary one", () => {
    const exponents = ["JPY", "USD", "IQD", "BHD", "CLF", "UYW", "ISK", "HUF"].map(exponentOf);
    expect(exponents).toEqual([0, 2, 3, 3, 4, 4, 0, 2]);
  });

  it("exponentOf refuses an unknown currency code", () => {
    expect(() => exponentOf("XXX")).toThrow(RangeError);
  });
});

describe("amounts", () => {
  it("toMinor turns wire numbers into minor units without binary fractions", () => {
    expect(toMinor(4.35, "USD")).toBe(435);
    expect(toMinor(1.005, "BHD")).toBe(1005);
    expect(toMinor(19.99, "EUR")).toBe(1999);
    expect(toMinor(250, "JPY")).toBe(250);
  });

  it.each([
    ["JPY", 2 ** 53 - 1],
    ["USD", 2 ** 46],
    ["BHD", 2 ** 43],
    ["CLF", 2 ** 39],
  ])("the largest amount of %s is the last up to which a double holds each minor unit", (code, max) => {
    expect(maxAmountOf(code)).toBe(max);
    expect(toMinor(max, code)).toBe(maxMinorOf(code));
    expect(Number.isSafeInteger(maxMinorOf(code))).toBe(true);
    expect(toMinor(max * (1 + Number.EPSILON), code)).toBeNull();
    expect(toMinor(1e300, code)).toBeNull();
    const beyond = Array.from({ length: 100 }, (_, index) => maxMinorOf(code) + index);
    if (code !== "JPY") expect(new Set(beyond.map((minor) => fromMinor(minor, code))).size).toBeLessThan(100);
  });

  it("amounts survive JSON unchanged, up to the largest of the currency", () => {
    const currency = fc.constantFrom("JPY", "USD", "BHD", "CLF");
    const below = fc.oneof(fc.nat(1_000), fc.maxSafeNat());
    fc.assert(
      fc.property(currency, below, (code, distance) => {
        const minor = maxMinorOf(code) - (distance % maxMinorOf(code));
        const text = JSON.stringify(fromMinor(minor, code));
        expect(toMinor(JSON.parse(text), code)).toBe(minor);
        expect(text.split(".")[1]?.length ?? 0).toBeLessThanOrEqual(exponentOf(code));
      }),
      { numRuns: rounds({ small: 2_000, full: 20_000 }) },
    );
  });
});
