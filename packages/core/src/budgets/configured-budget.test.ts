import { describe, expect, it } from "vitest";
import { budgetWorld } from "../testing/budget-world.js";
import type { BudgetView } from "./budget-view.js";
import type { CreateBudget } from "./create-budget.js";

const VAT = { id: "vat", name: "VAT", rate: 0.21, inclusive: true };
const RANGE = { minimum: 20, maximum: 60, step: 0.5 };
const KITCHEN: CreateBudget = {
  customerId: "ana",
  taxes: [VAT],
  deposit: { rate: 0.3 },
  items: [
    { kind: "choice", key: "worktop", description: "Worktop" },
    { description: "Oak", quantity: 1, unitPrice: 780, choice: "worktop", selected: true },
    { description: "Granite", quantity: 1, unitPrice: 1_420, choice: "worktop" },
    { description: "Island", quantity: 1, unitPrice: 2_300, optional: true, unitCost: 1_380 },
    {
      description: "Tiles",
      quantity: 20,
      unitPrice: 64,
      quantityRange: RANGE,
      priceTiers: [{ from: 40, unitPrice: 55 }],
    },
    { description: "Maintenance", quantity: 1, unitPrice: 95, recurring: { interval: "year", cycles: 3 } },
  ],
};

async function worldWith(content: Partial<CreateBudget> = {}) {
  const world = budgetWorld();
  const given: CreateBudget = { ...KITCHEN, ...content, customerId: "ana", customer: null };
  const budget = (await world.budgets.create(world.actor, given))._unsafeUnwrap();
  const { publicToken } = (await world.budgets.createPublicLink(world.actor, budget.id))._unsafeUnwrap();
  const idOf = (text: string) => budget.items.find(({ description }) => description === text)?.id ?? "";
  const { id } = budget;
  const get = async () => (await world.budgets.get(world.actor, id))._unsafeUnwrap();
  /** All lines, with changes of some by their descriptions. */
  const items = (changes: Readonly<Record<string, object>>) =>
    budget.items.map((line) => ({ id: line.id, ...(changes[line.description ?? ""] ?? {}) }));
  const accept = async (...selection: { itemId: string; selected?: boolean; quantity?: number }[]) => {
    const { version } = await get();
    return world.budgets.answerPublicLink(publicToken, "accept", { version, name: "Ana", selection });
  };
  return { ...world, id, budget, publicToken, idOf, get, items, accept };
}

/** A budget without the ids of its lines. */
function contentOf({ items, ...budget }: BudgetView) {
  return { ...budget, items: items.map(({ id: _, ...line }) => line) };
}

describe("A configured budget", () => {
  it("a configured budget is read, listed and previewed with the same figures", async () => {
    const { budgets, actor, budget, get } = await worldWith();
    expect(budget).toMatchObject({ total: 2_155, subtotal: 1_780.99, tax: 374.01, taxRate: null });
    expect(budget.recurring).toEqual([
      { interval: "year", intervalCount: 1, cycles: 3, subtotal: 78.51, tax: 16.49, total: 95 },
    ]);
    expect(contentOf(await get())).toMatchObject({
      ...contentOf(budget),
      version: 2,
      availableActions: expect.anything(),
    });
    const [entry] = (await budgets.list(actor))._unsafeUnwrap().data;
    const { taxes, recurring, deposit, balance, total, items } = await get();
    expect(entry).toMatchObject({ taxes, recurring, deposit, balance, total, items });
    const preview = (await budgets.preview(actor, KITCHEN))._unsafeUnwrap();
    expect(preview).toMatchObject({ taxes, recurring, deposit, total, minimumPaymentToConfirm: 646.5 });
    expect(preview.items).toEqual(contentOf(budget).items);
  });

  it("a duplicate of a configured budget has its taxes, choices, deposit and selection", async () => {
    const { budgets, actor, id, idOf, accept } = await worldWith();
    (await accept({ itemId: idOf("Granite"), selected: true }))._unsafeUnwrap();
    const original = (await budgets.get(actor, id))._unsafeUnwrap();
    const copy = (await budgets.duplicate(actor, id))._unsafeUnwrap();
    const { taxes, deposit, recurring, total, items } = contentOf(original);
    expect(contentOf(copy)).toMatchObject({
      status: "DRAFT",
      taxes,
      deposit,
      recurring,
      total,
      items,
      acceptance: null,
    });
    expect(copy.items.find(({ description }) => description === "Granite")).toMatchObject({ selected: true });
  });

  it("a change of taxes, deposit, a choice or a tier is a revision that names it", async () => {
    const { budgets, actor, id, idOf, items } = await worldWith();
    const changes = async (input: Parameters<typeof budgets.update>[2]) => {
      (await budgets.update(actor, id, input))._unsafeUnwrap();
      return (await budgets.listRevisions(actor, id))._unsafeUnwrap().data[0]?.changes;
    };
    expect(await changes({ deposit: { amount: 500 } })).toEqual(["deposit"]);
    expect(await changes({ taxes: [{ ...VAT, rate: 0.1 }] })).toEqual(["items", "taxes", "tax"]);
    const more = [{ from: 30, unitPrice: 60 }];
    expect(await changes({ items: items({ Tiles: { priceTiers: more, unitPrice: 64 } }) })).toEqual(["items"]);
    expect(await changes({ items: items({ Worktop: { minimum: 0 } }) })).toEqual(["items"]);
    const difference = (await budgets.compareRevisions(actor, id, 5))._unsafeUnwrap();
    expect(difference.changes).toEqual([
      { kind: "item-changed", id: idOf("Worktop"), fields: [{ field: "minimum", before: 1, after: 0 }] },
    ]);
    const whole = (await budgets.compareRevisions(actor, id, 5, { from: 1 }))._unsafeUnwrap();
    const fields = whole.changes.flatMap((each) => (each.kind === "field" ? [each.field] : []));
    expect(fields).toEqual(expect.arrayContaining(["taxes", "deposit", "subtotal", "tax"]));
  });

  it("a change of the cost alone makes no revision and no difference, also after an answer", async () => {
    const { budgets, actor, id, items, accept, events, get } = await worldWith({ deposit: null });
    (await accept())._unsafeUnwrap();
    const before = await get();
    (await budgets.update(actor, id, { items: items({ Island: { unitCost: 1_500 } }) }))._unsafeUnwrap();
    expect(await get()).toMatchObject({ status: "APPROVED", revision: before.revision, version: before.version + 1 });
    expect((await events()).at(-1)?.data).toMatchObject({ fields: ["internalFigures"], changes: [] });
  });

  it("an acceptance with a selection is one revision, and its events say what the customer has set", async () => {
    const { budgets, actor, id, idOf, accept, events, get } = await worldWith({ deposit: null });
    const selection = [
      { itemId: idOf("Granite"), selected: true },
      { itemId: idOf("Tiles"), quantity: 42.5 },
    ];
    (await accept(...selection))._unsafeUnwrap();
    expect(await get()).toMatchObject({ status: "APPROVED", total: 1_420 + 42.5 * 55 + 95, revision: 2 });
    const [updated, approved] = (await events()).slice(-2);
    expect([updated?.type, approved?.type]).toEqual(["budget.updated", "budget.approved"]);
    expect(updated?.data).toMatchObject({ fields: expect.arrayContaining(["items", "taxes"]) });
    const changed = (await budgets.compareRevisions(actor, id, 2))._unsafeUnwrap().changes;
    const fieldsOf = (text: string) =>
      changed.flatMap((each) => (each.kind === "item-changed" && each.id === idOf(text) ? each.fields : []));
    expect(fieldsOf("Oak")).toContainEqual({ field: "selected", before: true, after: false });
    expect(fieldsOf("Tiles")).toContainEqual({ field: "quantity", before: 20, after: 42.5 });
    expect(fieldsOf("Tiles")).toContainEqual({ field: "unitPrice", before: 64, after: 55 });
    expect((await budgets.getRevision(actor, id, 1))._unsafeUnwrap()).toMatchObject({ total: 2_155 });
  });

  it("a budget whose choice lacks a selection can be sent, but not approved (CHOICE_INCOMPLETE)", async () => {
    const { budgets, actor, id, items, accept, idOf } = await worldWith({ deposit: null });
    (await budgets.update(actor, id, { items: items({ Oak: { selected: false } }) }))._unsafeUnwrap();
    const refusal = { kind: "rule", rule: "CHOICE_INCOMPLETE", details: { keys: ["worktop"] } };
    expect((await budgets.update(actor, id, { status: "APPROVED" }))._unsafeUnwrapErr()).toMatchObject(refusal);
    expect((await accept())._unsafeUnwrapErr()).toMatchObject(refusal);
    (await accept({ itemId: idOf("Granite"), selected: true }))._unsafeUnwrap();
  });

  it("tiers as an answer shows them can be sent again, also with the one that a price below them has made", async () => {
    const priceTiers = Array.from({ length: 20 }, (_, index) => ({ from: 10 + index, unitPrice: 50 - index }));
    const { budgets, actor, id, budget, get } = await worldWith({
      items: [{ description: "Tiles", quantity: 1, unitPrice: 64, priceTiers }],
    });
    const [tiles] = budget.items;
    const shown = tiles !== undefined && "priceTiers" in tiles ? tiles.priceTiers : [];
    expect(shown).toEqual([{ from: 0, unitPrice: 64 }, ...priceTiers]);
    const items = [{ id: tiles?.id, priceTiers: shown }];
    (await budgets.update(actor, id, { items }))._unsafeUnwrap();
    expect((await get()).items).toEqual(budget.items);
  });

  it("another unitPrice in a change takes the place of the tiers, and the present one keeps them", async () => {
    const priceTiers = [
      { from: 0, unitPrice: 64 },
      { from: 40, unitPrice: 55 },
    ];
    const { budgets, actor, id, idOf, get } = await worldWith({
      items: [{ description: "Tiles", quantity: 50, priceTiers }],
    });
    const change = async (fields: object) => {
      (await budgets.update(actor, id, { items: [{ id: idOf("Tiles"), ...fields }] }))._unsafeUnwrap();
      return (await get()).items[0];
    };
    expect(await change({ unitPrice: 55, quantity: 20 })).toMatchObject({ unitPrice: 64, priceTiers });
    expect(await change({ unitPrice: 55, quantity: 40 })).toMatchObject({ unitPrice: 55, priceTiers });
    const own = await change({ unitPrice: 70 });
    expect(own).toMatchObject({ unitPrice: 70 });
    expect(own).not.toHaveProperty("priceTiers");
  });

  it("a line keeps the price below its first tier, though its quantity is above", async () => {
    const items = [{ description: "Tiles", quantity: 50, unitPrice: 64, priceTiers: [{ from: 40, unitPrice: 55 }] }];
    const { budgets, actor, id, idOf, get } = await worldWith({ items });
    expect((await get()).items[0]).toMatchObject({ unitPrice: 55 });
    (await budgets.update(actor, id, { items: [{ id: idOf("Tiles"), quantity: 20, unitPrice: 55 }] }))._unsafeUnwrap();
    expect((await get()).items[0]).toMatchObject({ unitPrice: 64, gross: 1_280 });
  });

  it("the refusal of a quantity shows the customer no cost", async () => {
    const { budgets, publicToken, idOf } = await worldWith({
      items: [{ description: "Tiles", quantity: 20, unitPrice: 1, quantityRange: RANGE, unitCost: 2e12 }],
    });
    const selection = [{ itemId: idOf("Tiles"), quantity: 60 }];
    const refused = (await budgets.previewPublicLink(publicToken, { selection }))._unsafeUnwrapErr();
    expect(refused).toMatchObject({ rule: "SELECTION_NOT_OFFERED", details: { field: "selection" } });
    expect(JSON.stringify(refused)).not.toMatch(/cost/i);
  });

  it("an offer whose figures round half to the even unit says so, for programs that compute a selection", async () => {
    const { budgets, actor } = budgetWorld({ rounding: "half-even" });
    const shown = async (line: object) => {
      const items = [{ description: "Tiles", quantity: 1, unitPrice: 0.5, ...line }];
      const { id } = (await budgets.create(actor, { customerId: "ana", items }))._unsafeUnwrap();
      const { publicToken } = (await budgets.createPublicLink(actor, id))._unsafeUnwrap();
      return (await budgets.openPublicLink(publicToken))._unsafeUnwrap();
    };
    expect(await shown({ optional: true })).toHaveProperty("rounding", "half-even");
    expect(await shown({})).not.toHaveProperty("rounding");
  });

  it("a budget without configured lines has none of their fields", async () => {
    const { budget, budgets, publicToken } = await worldWith({
      taxes: null,
      deposit: null,
      taxRate: 0.21,
      items: [{ description: "Oak table", quantity: 1, unitPrice: 450 }],
    });
    const further = [
      "taxes",
      "payable",
      "withheld",
      "deposit",
      "balance",
      "recurring",
      "cost",
      "margin",
      "discountAmount",
    ];
    const shown = (await budgets.openPublicLink(publicToken))._unsafeUnwrap();
    for (const field of further) {
      expect(budget).not.toHaveProperty(field);
      expect(shown).not.toHaveProperty(field);
    }
    expect(shown.items).toEqual([{ description: "Oak table", quantity: 1, unitPrice: 450, total: 450 }]);
  });
});
