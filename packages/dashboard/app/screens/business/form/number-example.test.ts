import { describe, expect, it } from "vitest";
import { beginningOf, nextNumber, numberAt } from "./number-example.js";

const november = { year: 2026, month: 11 };

describe("nextNumber", () => {
  it("the next number follows the greatest of the series, whatever the others are", () => {
    const used = ["P-2026-0147", "P-2026-0009", "P-2025-0900", "P-2026-x", "Q-7"];
    expect(nextNumber("P-{year}-{seq:4}", november, used)).toBe("P-2026-0148");
  });

  it("a series begins at one", () => {
    expect(nextNumber("{month}/{seq}", november, ["10/44"])).toBe("11/1");
  });
});

describe("numberAt", () => {
  it("a pattern makes no number without exactly one sequence, or with braces that mean nothing", () => {
    expect(["P-{year}", "{seq}{seq:2}", "{day}-{seq}", ""].map((each) => numberAt(each, november, 1))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("beginningOf", () => {
  it("the beginning is the text before the sequence", () => {
    expect(beginningOf("P-{year}-{seq:4}-A", november)).toBe("P-2026-");
  });
});
