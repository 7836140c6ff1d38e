import type { CopyProgress } from "@budgetkit/store-kit";
import { describe, expect, it } from "vitest";
import { endOfProgress, progressLines } from "../packages/cli/src/copy/copy-output.js";

const STEPS: readonly CopyProgress[] = [
  { phase: "reading", table: "budgets", rows: 1_000, total: null },
  { phase: "reading", table: "budgets", rows: 1_200, total: null },
  { phase: "copying", table: "budgets", rows: 500, total: 1_200 },
  { phase: "copying", table: "budgets", rows: 540, total: 1_200 },
  { phase: "copying", table: "budgets", rows: 1_200, total: 1_200 },
  { phase: "comparing", table: "events", rows: 1, total: 1 },
];

function written(isTTY: boolean): string {
  let text = "";
  const output = { isTTY, write: (more: string) => (text += more) };
  const print = progressLines(output);
  for (const step of STEPS) print(step);
  endOfProgress(output);
  return text;
}

describe("the progress of a copy", () => {
  it("is one line on a terminal, which is empty in the end", () => {
    const lines = written(true).split("\r\u001b[K");
    expect(lines).toEqual([
      "",
      "Reading the source: budgets, 1000 rows",
      "Reading the source: budgets, 1200 rows",
      "Copying: budgets, 500 of 1200 rows",
      "Copying: budgets, 540 of 1200 rows",
      "Copying: budgets, 1200 of 1200 rows",
      "Comparing: events, 1 of 1 rows",
      "",
    ]);
  });

  it("is a line for each tenth of a table elsewhere", () => {
    expect(written(false).split("\n")).toEqual([
      "Reading the source: budgets",
      "Copying: budgets, 40 % of 1200 rows",
      "Copying: budgets, 1200 of 1200 rows",
      "Comparing: events, 1 of 1 rows",
      "",
    ]);
  });
});
