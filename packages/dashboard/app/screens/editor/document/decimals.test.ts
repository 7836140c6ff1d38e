import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalMarkOf, readDecimal, shiftPoint, writeDecimal } from "./decimals.js";

describe("readDecimal", () => {
  it.each([
    ["1480000", "1480000"],
    ["1,480,000.50", "1480000.5"],
    ["1 480 000.5", "1480000.5"],
    ["3,5", "3.5"],
    [".5", "0.5"],
    ["007", "7"],
    ["0.10", "0.1"],
  ])("reads %s in English as %s", (typed, value) => {
    expect(readDecimal(typed, ".")).toBe(value);
  });

  it.each([
    ["1.480.000,50", "1480000.5"],
    ["1.500", "1500"],
    ["1.5", "1.5"],
    ["0,1", "0.1"],
  ])("reads %s in Spanish as %s", (typed, value) => {
    expect(readDecimal(typed, ",")).toBe(value);
  });

  it.each(["", "-1", "1,2,3", "1.2.3", "12abc", ".", "1e5", "1.234,5,6"])("%j is not read as a number", (typed) => {
    expect(readDecimal(typed, ".")).toBeNull();
  });

  it("reads what writeDecimal wrote, in both ways of writing", () => {
    const value = fc
      .tuple(fc.nat(), fc.nat({ max: 999_999 }))
      .map(([whole, rest]) => (rest === 0 ? `${whole}` : `${whole}.${`${rest}`.replace(/0+$/, "")}`));
    fc.assert(
      fc.property(value, fc.constantFrom("." as const, "," as const), fc.boolean(), (each, mark, isGrouped) => {
        expect(readDecimal(writeDecimal(each, mark, isGrouped), mark)).toBe(each);
      }),
    );
  });
});

describe("writeDecimal", () => {
  it("groups thousands and pads decimals", () => {
    expect(writeDecimal("1480000.5", ",", true, 2)).toBe("1.480.000,50");
    expect(writeDecimal("12", ".", true, 2)).toBe("12.00");
  });

  it("leaves a text that is no number as it was typed", () => {
    expect(writeDecimal("twelve", ".", true, 2)).toBe("twelve");
  });
});

describe("shiftPoint", () => {
  it("makes fractions of percents exactly", () => {
    expect(shiftPoint("10.5", -2)).toBe("0.105");
    expect(shiftPoint("0.07", 2)).toBe("7");
    expect(Number(shiftPoint("21", -2))).toBe(0.21);
  });
});

describe("decimalMarkOf", () => {
  it("knows the mark of a language", () => {
    expect([decimalMarkOf("en"), decimalMarkOf("es"), decimalMarkOf("pt")]).toEqual([".", ",", ","]);
  });
});
