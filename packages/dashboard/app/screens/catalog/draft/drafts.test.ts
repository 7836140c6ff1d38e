import type { Package, Product } from "@budgetkit/client";
import { describe, expect, it } from "vitest";
import { draftReader } from "./draft-reader.js";
import { emptyPackage, packageDraftOf, packageInputOf } from "./package-draft.js";
import { emptyProduct, emptyVariant, percentOf, productDraftOf, productInputOf, rateOf } from "./product-draft.js";

const record = { id: "oak", version: 3, createdAt: "2026-11-01T00:00:00Z", updatedAt: "2026-11-01T00:00:00Z" };
const product: Product = {
  ...record,
  name: "Oak",
  sku: "OAK",
  description: null,
  unitPrice: 1250.5,
  unit: "m²",
  taxes: ["iva"],
  recurring: { interval: "month", intervalCount: 3, cycles: null },
  priceTiers: [{ from: 10, unitPrice: 1100 }],
  unitCost: 800,
  currency: "ARS",
  taxRate: 0.105,
  active: true,
  options: [{ name: "Colour", values: ["red", "blue"] }],
  variants: [
    { id: "v1", name: "Red", sku: null, options: { Colour: "red" }, unitPrice: null, unitCost: 700, active: false },
  ],
  metadata: { shelf: 4 },
};

describe("productDraftOf", () => {
  it("a product that is opened and saved stays as it was, in a language with decimal commas", () => {
    const reader = draftReader(",");
    const { id, version, createdAt, updatedAt, ...content } = product;
    const input = productInputOf(reader, productDraftOf(product, ","));
    expect(input).toEqual({ ...content, variants: [{ ...content.variants[0], priceTiers: null }] });
    expect(reader.problems.size).toBe(0);
  });

  it("productInputOf names each field that is no number, by its path in the interface", () => {
    const reader = draftReader(".");
    const tiers = [{ key: "a", from: "", unitPrice: "dear" }];
    const variants = [{ ...emptyVariant(), name: "A", unitPrice: "x" }];
    productInputOf(reader, { ...emptyProduct("ARS"), unitPrice: "much", tiers, variants, metadata: "[1]" });
    expect(Object.fromEntries(reader.problems)).toEqual({
      unitPrice: "number",
      "priceTiers[0].from": "number",
      "priceTiers[0].unitPrice": "number",
      "variants[0].unitPrice": "number",
      metadata: "metadata",
    });
  });

  it("empty fields clear what they stand for, and options that are gone leave the variants", () => {
    const draft = { ...productDraftOf(product, "."), sku: "", unitCost: "", tiers: [], options: [] };
    const input = productInputOf(draftReader("."), draft);
    expect(input).toMatchObject({ sku: null, unitCost: null, priceTiers: null, options: [] });
    expect(input.variants?.[0]?.options).toEqual({});
  });

  it("percents and rates are free of binary fractions", () => {
    expect(percentOf(0.07)).toBe(7);
    expect(rateOf(10.5)).toBe(0.105);
    expect(rateOf(7)).toBe(0.07);
  });
});

describe("packageDraftOf", () => {
  const bundle: Package = {
    ...record,
    name: "Kitchen",
    description: "All of it",
    price: null,
    effectivePrice: 99,
    currency: "ARS",
    active: true,
    items: [{ productId: "oak", variantId: "v1", quantity: 2.5 }],
    metadata: {},
  };

  it("a package that is opened and saved stays as it was", () => {
    const { id, version, createdAt, updatedAt, effectivePrice, ...content } = bundle;
    const input = packageInputOf(draftReader(","), packageDraftOf(bundle, ","));
    expect(input).toEqual({ ...content, unit: null, taxes: null, recurring: null, priceTiers: null, unitCost: null });
  });

  it("needs products, and a quantity of each", () => {
    const reader = draftReader(".");
    packageInputOf(reader, emptyPackage("ARS"));
    expect(reader.problems.get("items")).toBe("items");
    const items = [{ key: "a", productId: "oak", variantId: "", quantity: "" }];
    const other = draftReader(".");
    packageInputOf(other, { ...emptyPackage("ARS"), items });
    expect(other.problems.get("items[0].quantity")).toBe("number");
  });
});
