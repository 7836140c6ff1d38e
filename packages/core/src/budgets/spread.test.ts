import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spread } from "./spread.js";

describe("spreading an amount", () => {
  it.each([
    [0, [3, 4], [0, 0]],
    [10, [1, 1], [5, 5]],
    [10, [1, 1, 1], [4, 3, 3]],
    [5, [1, 3], [1, 4]],
    [2, [1, 1, 1, 1], [1, 1, 0, 0]],
    [7, [0, 5, 0], [0, 7, 0]],
    [7, [0, 0], [7, 0]],
    [100, [2, 3, 3], [25, 38, 37]],
  ])("gives %i over %j as %j", (amount, weights, shares) => {
    expect(spread(amount, weights)).toEqual(shares);
  });

  it("stays exact where products pass 2^53", () => {
    const huge = 4_503_599_627_370_495;
    expect(spread(huge, [huge, huge, 1])).toEqual([2_251_799_813_685_247, 2_251_799_813_685_247, 1]);
  });

  it("always sums to the amount, and gives nobody a unit more or less than their exact share", () => {
    const weight = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 2 ** 44 }));
    const parts = fc.array(weight, { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 50 }), parts, (amount, weights) => {
        const shares = spread(amount, weights);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amount);
        const sum = weights.reduce((total, each) => total + BigInt(each), 0n);
        if (sum === 0n) return;
        shares.forEach((share, index) => {
          const exact = BigInt(amount) * BigInt(weights[index] ?? 0);
          expect(BigInt(share) * sum - exact < sum && exact - BigInt(share) * sum < sum).toBe(true);
        });
      }),
      { numRuns: 2_000 },
    );
  });
});
