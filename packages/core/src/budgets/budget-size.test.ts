import { rounds } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkBudgetSize } from "./budget-size.js";

const MAX_BYTES = 128 * 1024;

const item = {
  id: "1000000001",
  productId: null,
  variantId: null,
  packageId: null,
  quantity: 1.25,
  unitPrice: 1e-7,
  total: 1,
  discount: 0,
  tax: 0,
};

describe("the size of a budget", () => {
  it("refuses a budget exactly where the JSON of its items, notes and metadata is too large", () => {
    const character = fc.constantFrom("a", "é", "€", "\u{1f600}", '"', "\u0001");
    const content = fc
      .tuple(character, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 2_000 }))
      .map(([text, items, length]) => ({
        items: Array.from({ length: items }, () => ({
          ...item,
          description: text.repeat(length),
          unit: text.repeat(10),
          discountRate: 1 / 3,
        })),
        notes: text.repeat(length),
        metadata: { of: text },
      }));
    fc.assert(
      fc.property(content, (given) => {
        const bytes = [given.items, given.notes, given.metadata]
          .map((field) => Buffer.byteLength(JSON.stringify(field)))
          .reduce((sum, each) => sum + each, 0);
        expect(checkBudgetSize(given).isOk()).toBe(bytes <= MAX_BYTES);
      }),
      { numRuns: rounds({ small: 300, full: 2_000 }) },
    );
  });
});
