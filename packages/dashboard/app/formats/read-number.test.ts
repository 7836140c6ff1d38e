import { describe, expect, it } from "vitest";
import { decimalSignOf, decimalSignOfLocale, numberText, readNumber } from "./read-number.js";

describe("readNumber", () => {
  it.each([
    ["1.250,50", 1250.5],
    ["1250,5", 1250.5],
    ["1.250", 1250],
    ["12.5", 12.5],
    ["1,250.50", 1250.5],
    ["$ 1.250,00", 1250],
    ["US$ 99", 99],
    ["R$ 9,90", 9.9],
    ["-3", -3],
    ["0.125", 0.125],
    ["1 250,5", 1250.5],
    ["1'250", 1250],
  ])("reads %j with a decimal comma", (text, value) => {
    expect(readNumber(text, ",")).toBe(value);
  });

  it("reads by the decimal point what both signs could mean", () => {
    expect(readNumber("1.250", ".")).toBe(1.25);
    expect(readNumber("1,250", ".")).toBe(1250);
  });

  it.each(["", "abc", "1,2,3", "1..2", "12e5", "Infinity", "0x10", "--1", "1".repeat(41)])("refuses %j", (text) => {
    expect(readNumber(text, ".")).toBeNull();
  });
});

describe("decimalSignOf", () => {
  it("finds the sign by numbers that can be read in one way alone", () => {
    expect(decimalSignOf(["1.250", "3,5"], ".")).toBe(",");
    expect(decimalSignOf(["1,250.00", "1,250"], ",")).toBe(".");
    expect(decimalSignOf(["1.250.000"], ".")).toBe(",");
    expect(decimalSignOf(["0.125"], ",")).toBe(".");
  });

  it("the decimal sign is the fallback where no number shows it", () => {
    expect(decimalSignOf(["1.250", "7"], ",")).toBe(",");
    expect(decimalSignOf([], ".")).toBe(".");
  });

  it("decimalSignOfLocale and numberText write numbers as people of the language do", () => {
    expect(decimalSignOfLocale("es-AR")).toBe(",");
    expect(numberText(1250.5, decimalSignOfLocale("pt"))).toBe("1250,5");
    expect(numberText(undefined, ".")).toBe("");
  });
});

describe("numberText", () => {
  it.each([".", ","] as const)("the text of an amount of three decimals is read as that amount, with %s", (sign) => {
    expect(readNumber(numberText(1.234, sign), sign)).toBe(1.234);
    expect(readNumber(numberText(454_476, sign), sign)).toBe(454_476);
  });
});
