import { rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allocate } from "./allocate.js";

function sharesOf(amount: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, each) => total + each, 0);
  const parts = Float64Array.from(weights);
  allocate(amount, parts, sum);
  return [...parts];
}

describe("allocating an amount", () => {
  it.each([
    [0, [3, 4], [0, 0]],
    [10, [1, 1], [5, 5]],
    [10, [1, 1, 1], [4, 3, 3]],
    [5, [1, 3], [1, 4]],
    [2, [1, 1, 1, 1], [1, 1, 0, 0]],
    [7, [0, 5, 0], [0, 7, 0]],
    [7, [0, 0], [7, 0]],
    [100, [2, 3, 3], [25, 38, 37]],
  ])("allocates %i over the weights %j as %j", (amount, weights, shares) => {
    expect(sharesOf(amount, weights)).toEqual(shares);
  });

  it("allocates exactly where products exceed 2^53", () => {
    const huge = 4_503_599_627_370_495;
    expect(sharesOf(huge, [huge, huge, 1])).toEqual([2_251_799_813_685_247, 2_251_799_813_685_247, 1]);
  });

  it("allocates the remaining units to the largest remainders, the earlier first among equals", () => {
    const parts = fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999 }), parts, (amount, weights) => {
        const sum = weights.reduce((total, each) => total + each, 0);
        fc.pre(sum > 0);
        const floors = weights.map((weight) => Math.floor((amount * weight) / sum));
        const left = amount - floors.reduce((total, each) => total + each, 0);
        const lucky = weights
          .map((weight, index) => ({ index, remainder: (amount * weight) % sum }))
          .sort((a, b) => b.remainder - a.remainder || a.index - b.index)
          .slice(0, left)
          .map(({ index }) => index);
        expect(sharesOf(amount, weights)).toEqual(
          floors.map((floor, index) => floor + (lucky.includes(index) ? 1 : 0)),
        );
      }),
      { numRuns: rounds({ small: 500, full: 2_000 }) },
    );
  });

  it("allocates the remaining units to the largest of many remainders that are nearly the same", () => {
    const weights = fc.array(fc.integer({ min: 10_000, max: 10_039 }), { minLength: 300, maxLength: 600 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 299 }), weights, (amount, parts) => {
        const shares = sharesOf(amount, parts); // of less than a unit each: the weights are the remainders
        const smallest = Math.min(...parts.filter((_, index) => shares[index] === 1));
        const largest = Math.max(...parts.filter((_, index) => shares[index] === 0));
        expect(Math.max(...shares)).toBe(1);
        expect(smallest).toBeGreaterThanOrEqual(largest);
      }),
      { numRuns: rounds({ small: 200, full: 1_000 }) },
    );
  });

  it("allocated shares sum to the amount, each within a unit of its exact share", () => {
    const weight = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 2 ** 44 }));
    const parts = fc.array(weight, { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 50 }), parts, (amount, weights) => {
        const shares = sharesOf(amount, weights);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amount);
        const sum = weights.reduce((total, each) => total + BigInt(each), 0n);
        if (sum === 0n) return;
        shares.forEach((share, index) => {
          const exact = BigInt(amount) * BigInt(weights[index] ?? 0);
          expect(BigInt(share) * sum - exact < sum && exact - BigInt(share) * sum < sum).toBe(true);
        });
      }),
      { numRuns: rounds({ small: 500, full: 2_000 }) },
    );
  });
});
