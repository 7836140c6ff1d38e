import { aPackage, aProduct, aVariant } from "@budgetkit/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namedProducts } from "./named-products.js";
import { packagePrice } from "./package.js";
import type { Product } from "./product.js";
import { summariesOf } from "./product-summary.js";

function priceOf(overrides: Parameters<typeof aPackage>[0], ...products: readonly Product[]): number | null {
  return packagePrice(aPackage(overrides), namedProducts(products.flatMap(summariesOf)), "half-up");
}

const item = (productId: string, quantity: number, variantId: string | null = null) => ({
  productId,
  variantId,
  quantity,
});

describe("what a package costs", () => {
  it("a package costs its own price, with any items", () => {
    expect(priceOf({ price: 99.5, items: [item("unknown", 1)] })).toBe(99.5);
    expect(priceOf({ price: 0 })).toBe(0);
  });

  it("a package without a price costs the sum of its items, each rounded to the minor unit", () => {
    const chair = aProduct({ id: "chair", unitPrice: 33.335 });
    const table = aProduct({ id: "table", unitPrice: 0.004 });
    expect(priceOf({ items: [item("chair", 1), item("table", 1)] }, chair, table)).toBe(33.34);
    expect(priceOf({ items: [item("chair", 2), item("table", 100)] }, chair, table)).toBe(67.07);
  });

  it("the price of a package uses a variant's price where it has one", () => {
    const variants = [aVariant({ id: "xl", unitPrice: 20 }), aVariant({ id: "m" })];
    const shirt = aProduct({ id: "shirt", unitPrice: 10, variants });
    expect(priceOf({ items: [item("shirt", 1, "xl"), item("shirt", 1, "m")] }, shirt)).toBe(30);
    expect(priceOf({ items: [item("shirt", 1, "gone")] }, shirt)).toBeNull();
  });

  it("the price of a package is unknown when a product is gone, free of price, in another currency or too large", () => {
    const table = aProduct({ id: "table", unitPrice: 10 });
    const items = [item("table", 1), item("other", 1)];
    expect(priceOf({ items }, table)).toBeNull();
    for (const change of [{ unitPrice: null }, { currency: "ARS" }, { deletedAt: 1 }]) {
      expect(priceOf({ items }, table, aProduct({ id: "other", unitPrice: 1, ...change }))).toBeNull();
    }
    const dear = aProduct({ id: "other", unitPrice: 7e13 });
    expect(priceOf({ items: [item("other", 1)] }, dear)).toBe(7e13);
    expect(priceOf({ items: [item("other", 1), item("other", 1)] }, dear)).toBeNull();
    expect(priceOf({ items: [item("other", 1e6)] }, dear)).toBeNull();
  });

  it("the price of a package in whole cents is the exact sum", () => {
    const lines = fc.array(fc.record({ cents: fc.nat(1_000_000), quantity: fc.integer({ min: 1, max: 100 }) }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(lines, (drawn) => {
        const products = drawn.map(({ cents }, index) => aProduct({ id: `p${index}`, unitPrice: cents / 100 }));
        const items = drawn.map(({ quantity }, index) => item(`p${index}`, quantity));
        const expected = drawn.reduce((sum, { cents, quantity }) => sum + cents * quantity, 0);
        expect(priceOf({ items }, ...products)).toBe(expected / 100);
      }),
    );
  });
});
