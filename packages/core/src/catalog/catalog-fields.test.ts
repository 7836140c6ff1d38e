import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseInput } from "../kernel/validation.js";
import { cuit, dni } from "./catalog-fields.js";

/** The digits of a number of eleven whose last digit is what the rule of AFIP asks for, or null where there is none. */
function withCheckDigit(ten: string): string | null {
  const weights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
  const rest = weights.reduce((sum, weight, index) => sum + weight * Number(ten[index]), 0) % 11;
  if (rest === 1) return null; // the check would be 10
  return `${ten}${rest === 0 ? 0 : 11 - rest}`;
}

const tenDigits = fc
  .integer({ min: 1_000_000_000, max: 9_999_999_999 })
  .map(String)
  .filter((ten) => withCheckDigit(ten) !== null);
const cuits = tenDigits.map((ten) => withCheckDigit(ten) ?? "");

const read = (schema: typeof cuit, text: unknown) => parseInput(schema, text).unwrapOr(null);

describe("a cuit", () => {
  it("accepts a cuit with and without dashes, and stores its digits", () => {
    expect(read(cuit, "20-30123456-3")).toBe("20301234563");
    expect(read(cuit, "20301234563")).toBe("20301234563");
    fc.assert(
      fc.property(cuits, (digits) => {
        expect(read(cuit, digits)).toBe(digits);
        expect(read(cuit, `${digits.slice(0, 2)}-${digits.slice(2, 10)}-${digits.slice(10)}`)).toBe(digits);
      }),
    );
  });

  it("refuses a cuit with one wrong digit", () => {
    fc.assert(
      fc.property(cuits, fc.integer({ min: 0, max: 10 }), fc.integer({ min: 1, max: 9 }), (digits, place, shift) => {
        const other = (Number(digits[place]) + shift) % 10;
        expect(read(cuit, `${digits.slice(0, place)}${other}${digits.slice(place + 1)}`)).toBeNull();
      }),
    );
  });

  it("a cuit has at most one valid check digit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000_000_000, max: 9_999_999_999 }).map(String), (ten) => {
        const valid = Array.from({ length: 10 }, (_, digit) => `${ten}${digit}`).filter((text) => read(cuit, text));
        expect(valid).toEqual([withCheckDigit(ten)].filter((text) => text !== null));
      }),
    );
  });

  it.each([
    ["2030123456"],
    ["203012345633"],
    ["00000000000"],
    ["２０３０１２３４５６３"],
    ["20/30123456/3"],
    [""],
    [20301234563],
  ])("refuses %j as a cuit", (text) => {
    expect(read(cuit, text)).toBeNull();
  });
});

describe("a dni", () => {
  it("accepts a dni of 7 or 8 digits, in any grouping", () => {
    expect(read(dni, "30.123.456")).toBe("30123456");
    expect(read(dni, "5 123 456")).toBe("5123456");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), (value) => {
        const text = String(value);
        expect(read(dni, text)).toBe(text.length >= 7 ? text : null);
      }),
    );
  });

  it.each([["123456"], ["123456789"], ["30123456a"], ["-"], [30123456], [null]])("refuses %j as a dni", (text) => {
    expect(read(dni, text)).toBeNull();
  });

  it("reports a wrong dni with its field and a code (INVALID_FORMAT)", () => {
    expect(parseInput(dni, "x")._unsafeUnwrapErr()).toMatchObject({ errors: [{ code: "INVALID_FORMAT" }] });
  });
});
