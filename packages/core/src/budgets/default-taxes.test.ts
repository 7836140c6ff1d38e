import { aProduct } from "@budgetkit/testing";
import { describe, expect, it, vi } from "vitest";
import { EMPTY_PROFILE } from "../access/business.js";
import { recordCommit } from "../catalog/catalog-commits.js";
import type { Product } from "../catalog/product.js";
import type { NamedTax } from "../pricing/named-tax.js";
import { budgetWorld } from "../testing/budget-world.js";
import { itemsOf } from "../testing/items-of.js";

const line = { description: "Work", quantity: 1, unitPrice: 100 };
const lines = [line];

function aTax(overrides: Partial<NamedTax> = {}): NamedTax {
  return {
    id: "iva",
    name: "IVA",
    rate: 0.21,
    kind: "tax",
    inclusive: false,
    on: [],
    default: false,
    ...overrides,
  };
}

const REDUCED = aTax({ id: "reduced", name: "IVA 10.5 %", rate: 0.105 });

/** A business with these taxes, and products. */
async function worldOf(taxes: NamedTax[], products: readonly Partial<Product>[] = []) {
  const findBusiness = vi.fn(async () => ({
    name: "Norte",
    timeZone: "UTC",
    profile: { ...EMPTY_PROFILE, ...(taxes.length === 0 ? {} : { taxes }) },
  }));
  const world = budgetWorld({ findBusiness });
  for (const product of products) await world.store.commit(recordCommit("product", aProduct(product), "absent"));
  const create = async (input: object) =>
    world.budgets.create(world.actor, { customerId: "c", items: lines, ...input });
  return { ...world, findBusiness, create };
}

describe("the named taxes of a business", () => {
  it("a budget that names a tax of the business has a copy, which a later change of the business does not reach", async () => {
    const taxes = [aTax()];
    const { budgets, actor, create, context } = await worldOf(taxes);
    const made = (await create({ taxes: ["iva", { id: "own", rate: 0.01 }] }))._unsafeUnwrap();
    expect(made).toMatchObject({ total: 122, taxRate: null });
    expect(made.taxes).toMatchObject([
      { id: "iva", name: "IVA", rate: 0.21, amount: 21 },
      { id: "own", name: "own", rate: 0.01, amount: 1 },
    ]);
    expect(made.taxes?.[0]).not.toHaveProperty("default");
    taxes.splice(0, 1, aTax({ rate: 0.5 }));
    const edited = (await budgets.update(actor, made.id, { discountAmount: 50 }))._unsafeUnwrap();
    expect(edited.taxes).toMatchObject([{ rate: 0.21, amount: 10.5 }, { amount: 0.5 }]);
    expect((await context.findBusiness("1"))?.profile.taxes).toMatchObject([{ rate: 0.5 }]);
  });

  it.each([
    ["creation", false],
    ["preview", true],
  ])("refuses an unknown named tax in a %s with its place (UNKNOWN_TAX)", async (_, isPreview) => {
    const { budgets, actor } = await worldOf([aTax()]);
    const input = { customerId: "c", items: lines, taxes: ["iva", "vat"] };
    const refused = await (isPreview ? budgets.preview(actor, input) : budgets.create(actor, input));
    expect(refused._unsafeUnwrapErr()).toMatchObject({
      rule: "UNKNOWN_TAX",
      details: { field: "taxes[1]", id: "vat" },
    });
  });

  it("an update takes named taxes too, and refuses unknown ones (UNKNOWN_TAX)", async () => {
    const { budgets, actor, create } = await worldOf([aTax()]);
    const { id } = (await create({ taxRate: 0 }))._unsafeUnwrap();
    expect((await budgets.update(actor, id, { taxes: ["iva"] }))._unsafeUnwrap()).toMatchObject({ total: 121 });
    const refused = await budgets.update(actor, id, { taxes: ["vat"] });
    expect(refused._unsafeUnwrapErr()).toMatchObject({ rule: "UNKNOWN_TAX", details: { field: "taxes[0]" } });
  });

  it("a public creation takes named taxes, and keeps the tax as an amount without them", async () => {
    const { budgets, actor, store } = await worldOf([aTax({ default: true })]);
    const offer = {
      currency: "USD",
      issueDate: "2026-03-02",
      expirationDate: "2026-04-02",
      customerId: 7,
      sellerId: 8,
      minimumPaymentToConfirm: 0,
      subtotal: 100,
      total: 121,
      iva: 21,
      items: [{ quantity: 1, unitPrice: 100 }],
    };
    for (const [given, stored] of [
      [{ taxes: ["iva"] }, { taxes: [{ id: "iva", amount: 2100 }] }],
      [{}, { tax: 2100, taxRate: null }],
    ] as const) {
      const made = (
        await budgets.createPublic(actor, { ...offer, ...given, taxes: given.taxes && [...given.taxes] })
      )._unsafeUnwrap();
      const budget = await store.findBudget("1", String(made.budgetId));
      expect(budget).toMatchObject(stored);
      expect(budget?.taxes === undefined).toBe(given.taxes === undefined);
    }
  });
});

describe("the default taxes of a business", () => {
  it("a budget without taxes and taxRate gets the default taxes, with those that they are on", async () => {
    const levy = aTax({ id: "levy", name: "Levy", rate: 0.1, on: ["iva"], default: true });
    const { budgets, actor, create } = await worldOf([aTax(), levy, REDUCED]);
    const made = (await create({}))._unsafeUnwrap();
    expect(made).toMatchObject({ total: 133.1, taxRate: null, taxes: [{ id: "iva" }, { id: "levy", amount: 12.1 }] });
    const shown = (await budgets.preview(actor, { items: lines }))._unsafeUnwrap();
    expect(shown).toMatchObject({ total: 133.1, taxes: [{ id: "iva" }, { id: "levy" }] });
  });

  it("a taxRate of the request is the only tax, also 0", async () => {
    const { create } = await worldOf([aTax({ default: true })]);
    for (const taxRate of [0, 0.1]) {
      const made = (await create({ taxRate }))._unsafeUnwrap();
      expect([made.taxRate, made.taxes]).toEqual([taxRate, undefined]);
    }
  });

  it("a business without default taxes has budgets as before", async () => {
    for (const taxes of [[], [aTax()]]) {
      const { create } = await worldOf(taxes);
      const made = (await create({}))._unsafeUnwrap();
      expect([made.taxRate, made.tax, made.taxes]).toEqual([0, 0, undefined]);
    }
  });

  it("a creation and a preview read the business once, also with taxes", async () => {
    const { budgets, actor, create, findBusiness } = await worldOf([aTax({ default: true })]);
    (await create({ validUntil: "2026-04-01" }))._unsafeUnwrap();
    expect(findBusiness).toHaveBeenCalledOnce();
    (await budgets.preview(actor, { items: lines, validUntil: "2026-04-01" }))._unsafeUnwrap();
    expect(findBusiness).toHaveBeenCalledTimes(2);
  });
});

describe("the taxes that lines bring", () => {
  const food = { id: "food", taxes: ["reduced"] };

  it("a product's tax is on its lines alone, and the others keep the default taxes", async () => {
    const { create } = await worldOf([aTax({ default: true }), REDUCED], [food]);
    const items = [line, { ...line, productId: "food" }, { kind: "heading", description: "Also" }];
    const made = (await create({ items }))._unsafeUnwrap();
    expect(made.taxes).toMatchObject([
      { id: "iva", base: 100, amount: 21 },
      { id: "reduced", base: 100, amount: 10.5 },
    ]);
    expect(itemsOf(made).map(({ taxes }) => taxes)).toEqual([["iva"], ["reduced"]]);
  });

  it("a product's tax leaves the other lines exempt where there are no defaults", async () => {
    const { create } = await worldOf([REDUCED], [food]);
    const made = (await create({ items: [line, { ...line, productId: "food" }] }))._unsafeUnwrap();
    expect(made).toMatchObject({ total: 210.5, taxes: [{ id: "reduced", base: 100 }] });
    expect(itemsOf(made)[0]?.taxes).toEqual([]);
  });

  it("a line brings a named tax itself, and its own taxes go before those of the product", async () => {
    const { create } = await worldOf([aTax({ default: true }), REDUCED], [food]);
    const own = (await create({ items: [{ ...line, taxes: ["reduced"] }] }))._unsafeUnwrap();
    expect(own.taxes).toMatchObject([
      { id: "iva", amount: 0 },
      { id: "reduced", amount: 10.5 },
    ]);
    for (const taxes of [["iva"], null]) {
      const made = (await create({ items: [{ ...line, productId: "food", taxes }] }))._unsafeUnwrap();
      expect(made.taxes).toMatchObject([{ id: "iva", amount: 21 }]);
    }
  });

  it("refuses a product's tax that the taxes of the request lack, with the line (UNKNOWN_TAX)", async () => {
    const { create } = await worldOf([aTax(), REDUCED], [food]);
    const items = [line, { ...line, productId: "food" }];
    expect((await create({ items, taxes: ["iva"] }))._unsafeUnwrapErr()).toMatchObject({
      rule: "UNKNOWN_TAX",
      details: { field: "items[1].taxes[0]", id: "reduced" },
    });
    expect((await create({ items, taxes: ["iva", "reduced"] }))._unsafeUnwrap().tax).toBeCloseTo(21 + 10.5 * 2, 2);
  });

  it("refuses a product's tax that the business no longer has (UNKNOWN_TAX)", async () => {
    for (const taxes of [[], [aTax({ default: true })]]) {
      const { create } = await worldOf(taxes, [food]);
      const refused = await create({ items: [{ ...line, productId: "food" }] });
      expect(refused._unsafeUnwrapErr()).toMatchObject({ rule: "UNKNOWN_TAX", details: { id: "reduced" } });
    }
  });

  it("products' taxes do not apply where the request has a taxRate, and an exempt product needs no taxes", async () => {
    const { create } = await worldOf([REDUCED], [food, { id: "stamp", taxes: [] }]);
    const rated = (await create({ items: [{ ...line, productId: "food" }], taxRate: 0.2 }))._unsafeUnwrap();
    expect([rated.tax, itemsOf(rated)[0]?.taxes]).toEqual([20, undefined]);
    const exempt = (await create({ items: [{ ...line, productId: "stamp" }] }))._unsafeUnwrap();
    expect([exempt.tax, exempt.taxRate]).toEqual([0, 0]);
  });

  it("refuses more taxes than a budget can have, those of its lines included (MAX_LENGTH)", async () => {
    const taxes = Array.from({ length: 9 }, (_, index) => aTax({ id: `t${index}`, default: index < 8 }));
    const { create } = await worldOf(taxes);
    expect((await create({ items: [{ ...line, taxes: ["t8"] }] }))._unsafeUnwrapErr()).toMatchObject({
      kind: "invalid",
      errors: [{ field: "taxes", code: "MAX_LENGTH" }],
    });
  });

  it("a new line of an update brings its product's tax, and the lines of the budget keep theirs", async () => {
    const { budgets, actor, create } = await worldOf([aTax({ default: true }), REDUCED], [food]);
    const { id, items } = (await create({}))._unsafeUnwrap();
    const [first] = items;
    const edited = (
      await budgets.update(actor, id, { items: [{ id: first?.id ?? "" }, { ...line, productId: "food" }] })
    )._unsafeUnwrap();
    expect(edited.taxes).toMatchObject([
      { id: "iva", base: 100 },
      { id: "reduced", base: 100 },
    ]);
    expect(itemsOf(edited).map(({ taxes }) => taxes)).toEqual([["iva"], ["reduced"]]);
  });

  it("an update of a budget with a taxRate brings no taxes, and an update without new taxes reads no business", async () => {
    const { budgets, actor, create, findBusiness } = await worldOf([aTax({ default: true }), REDUCED], [food]);
    const { id, items } = (await create({ taxRate: 0.1 }))._unsafeUnwrap();
    const taxed = (await create({}))._unsafeUnwrap();
    findBusiness.mockClear();
    const kept = items.map((each) => ({ id: each.id }));
    const edited = await budgets.update(actor, id, { items: [...kept, { ...line, productId: "food" }] });
    expect(edited._unsafeUnwrap()).toMatchObject({ tax: 20, taxRate: 0.1 });
    const other = taxed.items.map((each) => ({ id: each.id, quantity: 2 }));
    expect((await budgets.update(actor, taxed.id, { items: other }))._unsafeUnwrap().tax).toBe(42);
    expect(findBusiness).not.toHaveBeenCalled();
  });
});
