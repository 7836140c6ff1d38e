import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { routes } from "../../../packages/core/src/http/route-table.js";
import { contractFaults, contractRows, testReader } from "./contract-map.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const rows = contractRows(readFileSync(`${root}docs/contract.md`, "utf8"));
const operations = routes.map(({ operationId }) => operationId);

describe("docs/contract.md", () => {
  it("docs/contract.md has a row for every operation, and for every row operations and tests that exist", () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(contractFaults(rows, operations, testReader(root))).toEqual([]);
  });

  it("docs/contract.md waits for nothing that is still being built", () => {
    expect(rows.flatMap(({ waitsFor, promise }) => (waitsFor === null ? [] : `${promise}: ${waitsFor}`))).toEqual([]);
  });
});

describe("The check of the map", () => {
  const known = ["getBudget", "login"];
  const read = (file: string) => (file === "a.test.ts" ? 'it("finds it", () => {})' : null);
  const faultsOf = (...lines: string[]) =>
    contractFaults(
      contractRows(["| Promise | Operations | Proof |", "|---|---|---|", ...lines].join("\n")),
      known,
      read,
    );
  const proof = '`a.test.ts` "finds it"';
  const complete = `| One | \`getBudget\`, \`login\` | ${proof} |`;

  it("the check of docs/contract.md accepts rows with existing operations and tests", () => {
    expect(faultsOf(complete, `| Two | all | ${proof} |`)).toEqual([]);
  });

  it("the check of docs/contract.md reports an operation without a row", () => {
    expect(faultsOf(`| One | \`login\` | ${proof} |`)).toEqual(["the operation getBudget has no row"]);
  });

  it.each([
    ["an operation that does not exist", `\`getAll\` | ${proof}`, "there is no operation getAll"],
    ["a row without a test", "`login` | by hand", "no test is named"],
    ["a file that does not exist", '`login` | `b.test.ts` "finds it"', "there is no file b.test.ts"],
    ["a case that does not exist", '`login` | `a.test.ts` "loses it"', 'a.test.ts has no case "loses it"'],
    ["a part of a title", '`login` | `a.test.ts` "finds"', 'a.test.ts has no case "finds"'],
  ])("the check of docs/contract.md reports %s", (_fault, cells, reported) => {
    expect(faultsOf(complete, `| Two | ${cells} |`)).toEqual([`line 4: ${reported}`]);
  });

  it("the check of docs/contract.md accepts a row that waits for what is being built", () => {
    const waiting = "| Two | pending: statistics | |";
    expect(faultsOf(complete, waiting)).toEqual([]);
    expect(contractRows(waiting).map(({ waitsFor }) => waitsFor)).toEqual(["statistics"]);
  });
});
