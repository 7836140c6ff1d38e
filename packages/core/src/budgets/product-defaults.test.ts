import { aCustomer, aPackage, aProduct, aVariant } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { recordCommit } from "../catalog/catalog-commits.js";
import type { Package } from "../catalog/package.js";
import type { Product } from "../catalog/product.js";
import { budgetWorld } from "../testing/budget-world.js";
import { itemsOf } from "../testing/items-of.js";
import type { CreateBudget } from "./create-budget.js";

type Line = CreateBudget["items"][number];

const MONTHLY = { interval: "month", intervalCount: 1, cycles: null } as const;
const TIERS = [
  { from: 0, unitPrice: 10 },
  { from: 5, unitPrice: 8 },
];
const HOUR = { id: "hour", unitPrice: 12, unit: "hours", recurring: MONTHLY, unitCost: 4, priceTiers: TIERS };

interface Catalog {
  readonly products?: readonly Partial<Product>[];
  readonly packages?: readonly Partial<Package>[];
  readonly references?: "open" | "strict";
}

async function worldOf({ products = [HOUR], packages = [], references = "open" }: Catalog = {}) {
  const world = budgetWorld({ references });
  for (const product of products) await world.store.commit(recordCommit("product", aProduct(product), "absent"));
  for (const bundle of packages) await world.store.commit(recordCommit("package", aPackage(bundle), "absent"));
  const create = (items: Line[], { currency = "USD" } = {}) =>
    world.budgets.create(world.actor, { customerId: "c", currency, items });
  return { ...world, create };
}

const line = { description: "Work", quantity: 1 };
const ofHour = { ...line, productId: "hour" };

describe("a line that names a product", () => {
  it("a line gets unit, price, tiers, recurrence and cost of its product where it leaves them out", async () => {
    const { budgets, actor, create } = await worldOf();
    const made = (await create([{ ...ofHour, quantity: 6 }]))._unsafeUnwrap();
    const expected = { unit: "hours", unitPrice: 8, priceTiers: TIERS, recurring: MONTHLY, unitCost: 4, total: 48 };
    expect(itemsOf(made)).toMatchObject([expected]);
    expect(made).toMatchObject({ cost: 24, recurring: [{ total: 48 }] });
    const shown = (await budgets.preview(actor, { items: [{ ...ofHour, quantity: 6 }] }))._unsafeUnwrap();
    expect(shown.items).toMatchObject([expected]);
  });

  it("a line keeps what it says itself, and null is none", async () => {
    const { create } = await worldOf();
    const own = { unit: "days", recurring: { interval: "week" as const }, unitCost: 1, unitPrice: 20 };
    const none = { unit: null, recurring: null, unitCost: null, priceTiers: null };
    const made = (
      await create([
        { ...ofHour, ...own },
        { ...ofHour, ...none },
      ])
    )._unsafeUnwrap();
    const [first, second] = itemsOf(made);
    expect(first).toMatchObject({ unit: "days", unitPrice: 20, unitCost: 1, recurring: { interval: "week" } });
    expect(first).not.toHaveProperty("priceTiers"); // it has a price of its own
    expect(second?.unitPrice).toBe(12);
    for (const field of Object.keys(none)) expect(second).not.toHaveProperty(field);
  });

  it("amounts of another currency are left out, and the price is required (REQUIRED)", async () => {
    const { create } = await worldOf();
    const made = (await create([{ ...ofHour, unitPrice: 3 }], { currency: "EUR" }))._unsafeUnwrap();
    expect(itemsOf(made)[0]).toMatchObject({ unit: "hours", unitPrice: 3 });
    expect(itemsOf(made)[0]).not.toHaveProperty("unitCost");
    const refused = await create([{ ...line, unitPrice: 1 }, ofHour], { currency: "EUR" });
    expect(refused._unsafeUnwrapErr()).toMatchObject({
      kind: "invalid",
      errors: [{ field: "items[1].unitPrice", code: "REQUIRED" }],
    });
  });

  it("requires the price of a line whose product has none, is deleted or unknown (REQUIRED)", async () => {
    const products = [
      { id: "free", unitPrice: null },
      { ...HOUR, deletedAt: 1 },
    ];
    const { create } = await worldOf({ products });
    for (const productId of ["free", "hour", "gone"]) {
      expect((await create([{ ...line, productId }]))._unsafeUnwrapErr()).toMatchObject({
        errors: [{ field: "items[0].unitPrice", code: "REQUIRED" }],
      });
    }
    const made = (await create([{ ...ofHour, unitPrice: 1 }]))._unsafeUnwrap();
    expect(itemsOf(made)[0]).not.toHaveProperty("unit");
  });

  it("a line without a product needs its price as before (REQUIRED)", async () => {
    const { create } = await worldOf();
    expect((await create([line]))._unsafeUnwrapErr()).toEqual({
      kind: "invalid",
      message: "The request has invalid fields.",
      errors: [{ field: "items[0].unitPrice", code: "REQUIRED", message: "This field is required." }],
    });
  });

  it("refuses an unknown product, not the missing price, under strict references (UNKNOWN_REFERENCE)", async () => {
    const { budgets, actor } = await worldOf({ references: "strict" });
    const items = [
      { ...line, unitPrice: 1 },
      { ...line, productId: "gone" },
    ];
    const refused = await budgets.preview(actor, { items });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ details: { field: "items[1].productId" } });
  });

  it("a variant has its own price and tiers, and otherwise those of its product", async () => {
    const variants = [
      aVariant({ id: "plain" }),
      aVariant({ id: "priced", unitPrice: 30 }),
      aVariant({ id: "tiered", unitCost: 9, priceTiers: [{ from: 0, unitPrice: 50 }] }),
    ];
    const { create } = await worldOf({ products: [{ ...HOUR, variants }] });
    const named = ["plain", "priced", "tiered"].map((variantId) => ({ ...ofHour, quantity: 5, variantId }));
    const items = itemsOf((await create(named))._unsafeUnwrap());
    expect(items.map(({ unitPrice, unitCost, unit }) => [unitPrice, unitCost, unit])).toEqual([
      [8, 4, "hours"],
      [30, 4, "hours"],
      [50, 9, "hours"],
    ]);
    const unknown = await create([{ ...ofHour, variantId: "gone" }]);
    expect(unknown._unsafeUnwrapErr()).toMatchObject({ errors: [{ field: "items[0].unitPrice" }] });
  });

  it("looks products up once for all lines, and none where no line names one", async () => {
    for (const references of ["open", "strict"] as const) {
      const { create, store } = await worldOf({ references, products: [HOUR, { id: "700" }] });
      await store.commit(recordCommit("customer", aCustomer({ id: "c" }), "absent"));
      const find = vi.spyOn(store, "findProductSummaries");
      const read = vi.spyOn(store, "findRecords");
      (await create([{ ...line, unitPrice: 1 }]))._unsafeUnwrap();
      expect(find).not.toHaveBeenCalled();
      (await create([ofHour, ofHour, { ...line, productId: "700", unitPrice: 1 }]))._unsafeUnwrap();
      expect([find.mock.calls.length, read.mock.calls.length]).toEqual([1, 0]);
    }
  });

  it("a product without defaults leaves its lines as they are", async () => {
    const { create, store } = await worldOf({ products: [{ id: "700" }] });
    const { id } = (await create([{ ...line, productId: "700", unitPrice: 1 }]))._unsafeUnwrap();
    const stored = await store.findBudget("1", id);
    expect(Object.keys(stored?.items[0] ?? {})).toEqual([
      "id",
      "productId",
      "variantId",
      "packageId",
      "description",
      "quantity",
      "unitPrice",
      "total",
      "discount",
      "tax",
    ]);
  });
});

describe("a line that names a package", () => {
  const SET = { id: "set", unit: "sets", unitCost: 100, recurring: MONTHLY };
  const ofSet = { ...line, packageId: "set" };

  it("a line gets the price of its package, or the sum of its items, and its defaults", async () => {
    const packages = [
      { ...SET, price: 900 },
      { ...SET, id: "sum", priceTiers: [{ from: 3, unitPrice: 400 }] },
    ];
    const { create } = await worldOf({ products: [{ id: "700", unitPrice: 450 }], packages });
    const lines = [ofSet, { ...ofSet, packageId: "sum" }, { ...ofSet, packageId: "sum", quantity: 3 }];
    const items = itemsOf((await create(lines))._unsafeUnwrap());
    expect(items.map(({ unitPrice, unit, unitCost }) => [unitPrice, unit, unitCost])).toEqual([
      [900, "sets", 100],
      [450, "sets", 100],
      [400, "sets", 100],
    ]);
  });

  it("requires the price of a line whose package has no sum (REQUIRED)", async () => {
    const { create } = await worldOf({ products: [{ id: "700", unitPrice: null }], packages: [SET] });
    expect((await create([ofSet]))._unsafeUnwrapErr()).toMatchObject({ errors: [{ field: "items[0].unitPrice" }] });
  });
});

describe("updates and public creations", () => {
  it("a new line of an update gets what it leaves out, and a line of the budget keeps what it has", async () => {
    const { budgets, actor, create } = await worldOf();
    const made = (await create([{ ...line, unitPrice: 1 }]))._unsafeUnwrap();
    const [own] = made.items;
    const items = [{ id: own?.id ?? "", productId: "hour" }, ofHour];
    const edited = (await budgets.update(actor, made.id, { items }))._unsafeUnwrap();
    const [first, second] = itemsOf(edited);
    expect(first).toMatchObject({ productId: "hour", unitPrice: 1 });
    expect(first).not.toHaveProperty("unit");
    expect(second).toMatchObject({ unit: "hours", unitPrice: 10, priceTiers: TIERS, unitCost: 4 });
  });

  it("requires the price of a new line whose product has none, in an update (REQUIRED)", async () => {
    const { budgets, actor, create } = await worldOf({ products: [{ id: "free", unitPrice: null }] });
    const { id } = (await create([{ ...line, unitPrice: 1 }]))._unsafeUnwrap();
    const refused = await budgets.update(actor, id, { items: [{ ...line, productId: "free" }] });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ errors: [{ field: "items[0].unitPrice", code: "REQUIRED" }] });
  });

  it("a public creation keeps its price and gets unit and cost; nothing recurs where the tax is an amount", async () => {
    const { budgets, actor, store } = await worldOf({ products: [{ ...HOUR, id: "700" }] });
    const made = await budgets.createPublic(actor, {
      currency: "USD",
      issueDate: "2026-03-02",
      expirationDate: "2026-04-02",
      customerId: 7,
      sellerId: 8,
      minimumPaymentToConfirm: 0,
      subtotal: 100,
      total: 121,
      iva: 21,
      items: [{ productId: 700, quantity: 10, unitPrice: 10 }],
    });
    const { items } = (await store.findBudget("1", String(made._unsafeUnwrap().budgetId))) ?? { items: [] };
    expect(items).toMatchObject([{ unit: "hours", unitPrice: 10, unitCost: 4 }]);
    expect(items[0]).not.toHaveProperty("recurring");
  });
});
