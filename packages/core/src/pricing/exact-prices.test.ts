import { rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawBudget } from "../testing/drawn-budgets.js";
import { exactPrices } from "../testing/exact-prices.js";
import { priceBudget } from "./price-budget.js";

const BUDGETS = rounds({ small: 500, full: 10_000 });

describe("the figures of configured budgets", () => {
  it("prices budgets with every feature as exact fractions do, to the minor unit", () => {
    let priced = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const input = drawBudget(seed);
        const exact = exactPrices(input);
        const result = priceBudget(input);
        if (exact.figures === null) {
          expect(result._unsafeUnwrapErr()).toMatchObject({ rule: exact.rule });
          return;
        }
        const { trace: _, ...figures } = result._unsafeUnwrap();
        expect(figures).toEqual(exact.figures);
        priced += 1;
      }),
      { numRuns: BUDGETS },
    );
    expect(priced).toBeGreaterThan(BUDGETS * 0.8); // else too few runs compare amounts
  });
});
