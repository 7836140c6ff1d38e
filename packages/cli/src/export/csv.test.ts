import { describe, expect, it } from "vitest";
import { type Cell, csvRow } from "./csv.js";

describe("a row of CSV", () => {
  it.each<[string, Cell, string]>([
    ["text as it is", "Oak table", "Oak table"],
    ["nothing as an empty cell", null, ""],
    ["truth as a word", true, "true"],
    ["quotes doubled, in quotes", 'the "big" one', '"the ""big"" one"'],
    ["a comma in quotes", "a, b", '"a, b"'],
    ["a line break in quotes", "a\nb", '"a\nb"'],
    ["a formula with an apostrophe", "=1+1", "'=1+1"],
    ["a plus with an apostrophe", "+1 555 0101", "'+1 555 0101"],
    ["a minus with an apostrophe", "-5", "'-5"],
    ["an at sign with an apostrophe", "@SUM(A1)", "'@SUM(A1)"],
    ["a tab with an apostrophe", "\ta", "'\ta"],
    ["a carriage return with an apostrophe, in quotes", "\ra", '"\'\ra"'],
    ["a formula behind a semicolon with an apostrophe", "Acme;=cmd|'/C calc'!A0;", "Acme;'=cmd|'/C calc'!A0;"],
    ["a formula behind a tab with an apostrophe", "a\t@SUM(A1)", "a\t'@SUM(A1)"],
    ["a formula on a line of its own with an apostrophe, in quotes", "a\r\n=1", '"a\r\n\'=1"'],
    ["a formula behind a tab at the beginning with an apostrophe too", "\t=1", "'\t'=1"],
    ["a formula in quotes of its own with an apostrophe", 'a;"=1"', '"a;\'""=1"""'],
    ["every formula with an apostrophe", "+1;-2;;=3", "'+1;'-2;;'=3"],
    ["semicolons and lines of words as they are, in quotes", "a; b;\r\n\r\nc", '"a; b;\r\n\r\nc"'],
    ["a formula with a comma in quotes, the apostrophe within", '=A("x",1)', '"\'=A(""x"",1)"'],
    ["an equals sign within as it is", "a=b", "a=b"],
    ...[..."＝＋－＠"].map((sign): [string, Cell, string] => [
      `a formula of the full-width ${sign} with an apostrophe`,
      `${sign}1`,
      `'${sign}1`,
    ]),
    ...["\ufeff", "\u00a0", " ", "  ", "\u3000", "\u2028", "\u200b", "\u200e", "\v", "\u0000", "\u00a0\ufeff "].map(
      (space): [string, Cell, string] => [
        `a formula behind ${JSON.stringify(space)} with an apostrophe before both`,
        `${space}=1`,
        `'${space}=1`,
      ],
    ),
    ["a formula behind a semicolon and a space with an apostrophe", "a; =1", "a;' =1"],
    ["a line break with an apostrophe, in quotes", "\na", '"\'\na"'],
    ["any number of invisible characters before words", `${"\ufeff".repeat(10_000)}x`, `${"\ufeff".repeat(10_000)}x`],
    ["words behind white space as they are", "\u00a0 a=b", "\u00a0 a=b"],
    ["a number as a number", 12.5, "12.5"],
    ["a number below zero as a number", -12.5, "-12.5"],
  ])("writes %s in CSV", (_, cell, text) => {
    expect(csvRow([cell])).toBe(text);
  });

  it("separates the cells of a CSV row by commas", () => {
    expect(csvRow(["a", null, 1])).toBe("a,,1");
  });
});
