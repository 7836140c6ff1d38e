import { aProduct, aVariant } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { namedProducts } from "./named-products.js";
import { summariesOf, unitPriceOf } from "./product-summary.js";

const table = aProduct({
  id: "t",
  sku: "OAK",
  unitPrice: 450,
  deletedAt: 7,
  variants: [
    aVariant({ id: "plain", name: "Plain" }),
    aVariant({ id: "dark", name: "Dark", sku: "OAK-D", unitPrice: 0 }),
  ],
});
const own = { productId: "t", variantId: null, name: "Oak table", sku: "OAK", unitPrice: 450 };
const stated = { currency: "USD", deletedAt: 7 };
const dark = { ...own, variantId: "dark", name: "Dark", sku: "OAK-D", unitPrice: 0, ...stated };

describe("the summaries of a product", () => {
  it("summarises a product and each variant, which inherits the product's sku and price", () => {
    expect(summariesOf(table)).toEqual([
      { ...own, ...stated },
      { ...own, variantId: "plain", name: "Plain", ...stated },
      dark,
    ]);
  });

  it("finds a summary by name, and the product's for an unknown variant", () => {
    const products = namedProducts(summariesOf(table));
    expect(products.find({ productId: "t", variantId: "dark" })).toEqual(dark);
    expect(products.find({ productId: "t", variantId: "gone" })).toEqual({ ...own, ...stated });
    expect(products.find({ productId: "u", variantId: "dark" })).toBeNull();
  });

  it("a summary has the price of the named variant, and none for an unknown variant", () => {
    expect(unitPriceOf(dark, { productId: "t", variantId: "dark" })).toBe(0);
    expect(unitPriceOf({ ...own, ...stated }, { productId: "t", variantId: "gone" })).toBeNull();
  });
});
