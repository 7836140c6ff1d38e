import { readFileSync } from "node:fs";
import { format } from "node:util";
import { build } from "esbuild";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { PricingInput, PricingLine, PricingTax } from "../../../packages/core/src/pricing/pricing-shapes.js";
import { blocksOf } from "../code/page-code.js";
import { pageTable } from "../code/page-table.js";

const root = new URL("../../../", import.meta.url);
const page = readFileSync(new URL("docs/pricing.md", root), "utf8");
const programs = blocksOf(page, "ts").map((program) => ({ program, headline: program.split("\n")[2] }));

/** Runs a program of the page and returns the lines that it prints. */
async function run(program: string): Promise<string[]> {
  const printed: string[] = [];
  vi.spyOn(console, "log").mockImplementation((...values) => void printed.push(format(...values)));
  const bundled = await build({
    stdin: { contents: program, loader: "ts", resolveDir: new URL("packages/core", root).pathname },
    alias: { "@budgetkit/core/pricing": new URL("packages/core/src/entries/pricing.ts", root).pathname },
    bundle: true,
    write: false,
    format: "esm",
  });
  const code = Buffer.from(bundled.outputFiles[0]?.contents ?? []).toString("base64");
  await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
  return printed;
}

/** The names in the first column of a table. */
const fieldsOf = (text: string) =>
  pageTable(page, text).flatMap(([cell = ""]) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));

/** The names of a type's fields: a list with all of them, which the compiler holds to be complete. */
const names = <T>(fields: Record<keyof T, true>) => Object.keys(fields);

afterEach(() => {
  vi.restoreAllMocks();
});

describe("docs/pricing.md", () => {
  it.each(programs)("a program in docs/pricing.md prints what its comments state: $headline", async ({ program }) => {
    const expected = [...program.matchAll(/console\.log.*; \/\/ (.*)$/gm)].map(([, text]) => text);
    expect(await run(program)).toEqual(expected);
  });

  it("docs/pricing.md lists the fields of a budget, a line and a tax", () => {
    const budget = names<PricingInput>({
      currency: true,
      rounding: true,
      items: true,
      taxRate: true,
      taxes: true,
      discountAmount: true,
      deposit: true,
    });
    expect(fieldsOf("The result is a [neverthrow]").filter((name) => budget.includes(name ?? ""))).toEqual(budget);
    const line = names<PricingLine>({
      kind: true,
      id: true,
      quantity: true,
      unitPrice: true,
      discountRate: true,
      discountAmount: true,
      taxes: true,
      optional: true,
      selected: true,
      choice: true,
      key: true,
      minimum: true,
      maximum: true,
      quantityRange: true,
      priceTiers: true,
      recurring: true,
      unitCost: true,
    });
    const ofChoices = ["key", "minimum", "maximum"];
    expect(fieldsOf("\n## Lines\n")).toEqual(line.filter((name) => !ofChoices.includes(name)));
    for (const name of ofChoices) expect(page.split("\n## Choices\n")[1]).toContain(`\`${name}\``);
    const tax = names<PricingTax>({ id: true, name: true, rate: true, kind: true, inclusive: true, on: true });
    expect(fieldsOf("\n## Taxes\n")).toEqual(tax);
  });
});
