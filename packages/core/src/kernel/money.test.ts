import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exponentOf, isCurrency } from "./currency.js";
import { fromMinor, MAX_MINOR, toMinor } from "./money.js";

describe("currencies", () => {
  it("knows the codes of ISO 4217, in upper case only", () => {
    expect(["USD", "EUR", "JPY", "BHD", "CLF", "ARS"].every(isCurrency)).toBe(true);
    expect(["usd", "XXX", "", "US", "BTC", "DEM", "__proto__"].some(isCurrency)).toBe(false);
  });

  it("gives each the minor unit of the standard, not the customary one", () => {
    const exponents = ["JPY", "USD", "IQD", "BHD", "CLF", "UYW", "ISK", "HUF"].map(exponentOf);
    expect(exponents).toEqual([0, 2, 3, 3, 4, 4, 0, 2]);
  });

  it("refuses the exponent of a code that it does not know", () => {
    expect(() => exponentOf("XXX")).toThrow(RangeError);
  });
});

describe("amounts", () => {
  it("turns wire numbers into minor units without going through binary fractions", () => {
    expect(toMinor(4.35, "USD")).toBe(435);
    expect(toMinor(1.005, "BHD")).toBe(1005);
    expect(toMinor(19.99, "EUR")).toBe(1999);
    expect(toMinor(250, "JPY")).toBe(250);
  });

  it("declines amounts beyond 2^53 - 1 minor units", () => {
    expect(toMinor(MAX_MINOR, "JPY")).toBe(MAX_MINOR);
    expect(toMinor(MAX_MINOR + 1, "JPY")).toBeNull();
    expect(toMinor(1e300, "USD")).toBeNull();
  });

  it("comes back from the wire unchanged, up to 2^46 major units, where doubles still tell cents apart", () => {
    const currency = fc.constantFrom("JPY", "USD", "BHD", "CLF");
    fc.assert(
      fc.property(currency, fc.integer({ min: 0, max: 2 ** 46 }), (code, minor) => {
        expect(toMinor(fromMinor(minor, code), code)).toBe(minor);
      }),
      { numRuns: 5_000 },
    );
  });
});
