import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exactPrices } from "../testing/exact-prices.js";
import { priceBudget } from "./price-budget.js";
import type { PricingFigures, PricingInput } from "./pricing-shapes.js";

/** A case of the file. The README beside it describes the format. */
interface Vector {
  readonly name: string;
  readonly input: PricingInput;
  readonly figures: Omit<PricingFigures, "trace">;
}

const file = new URL("../../vectors/pricing.json", import.meta.url);

/** With UPDATE_VECTORS=1 the exact fractions write the figures first, so that a new case needs an input alone. */
if (process.env.UPDATE_VECTORS === "1") {
  const written = readVectors().map(({ name, input }) => ({ name, input, figures: exactPrices(input).figures }));
  writeFileSync(file, `${JSON.stringify({ format: 1, vectors: written }, null, 2)}\n`);
}
const vectors = readVectors();

describe("the published vectors of prices", () => {
  it.each(vectors)("prices $name", ({ input, figures }) => {
    const { trace: _, ...priced } = priceBudget(input)._unsafeUnwrap();
    expect(priced).toEqual(figures);
  });

  it.each(vectors)("the figures of $name are those of exact fractions", ({ input, figures }) => {
    expect(exactPrices(input)).toEqual({ figures, rule: null });
  });

  it("no two vectors have the same name", () => {
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  });
});

function readVectors(): readonly Vector[] {
  const { vectors }: { readonly vectors: readonly Vector[] } = JSON.parse(readFileSync(file, "utf8"));
  return vectors;
}
