import { describe, expect, it } from "vitest";
import { budgetWorld } from "../testing/budget-world.js";
import { itemsOf } from "../testing/items-of.js";
import type { BudgetView } from "./budget-view.js";

const hours = { description: "Work", quantity: 2.5, unitPrice: 40, unit: "hours" };
const LINES = [
  { kind: "heading", description: "Kitchen" },
  { ...hours, discountRate: 0.1 },
  { kind: "text", description: "Without appliances." },
  { kind: "item", description: "Table", quantity: 1, unitPrice: 450, discountAmount: 50 },
  { kind: "subtotal", description: "Kitchen in all" },
  { description: "Travel", quantity: 1, unitPrice: 20 },
  { kind: "subtotal" },
] as const;

/** LINES as every view shows them, but for ids, taxes and shares of the budget's discount. */
const SHOWN = [
  LINES[0],
  { ...LINES[1], total: 90 },
  LINES[2],
  { description: "Table", quantity: 1, unitPrice: 450, discountAmount: 50, total: 400 },
  { ...LINES[4], total: 490 },
  { ...LINES[5], total: 20 },
  { kind: "subtotal", total: 20 },
];

async function made(overrides: Partial<Parameters<typeof budgetWorld>[0]> = {}) {
  const world = budgetWorld(overrides);
  const budget = (await world.budgets.create(world.actor, { customerId: "c", items: [...LINES] }))._unsafeUnwrap();
  const update = (input: Parameters<typeof world.budgets.update>[2]) =>
    world.budgets.update(world.actor, budget.id, input);
  return { ...world, budget, update, ids: budget.items.map(({ id }) => id) };
}

describe("the lines of a budget", () => {
  it("every view of a budget shows its lines with the fields of their kind alone", async () => {
    const { budgets, actor, budget } = await made();
    expect(budget).toMatchObject({ subtotal: 510, discount: 0, total: 510 });
    expect(budget.items).toEqual(
      SHOWN.map((line) => ({
        id: expect.any(String),
        ...line,
        ...("quantity" in line ? { discount: 0, tax: 0 } : {}),
      })),
    );
    expect((await budgets.get(actor, budget.id))._unsafeUnwrap().items).toEqual(budget.items);
    expect((await budgets.list(actor))._unsafeUnwrap().data[0]?.items).toEqual(budget.items);
    const { publicToken } = (await budgets.createPublicLink(actor, budget.id))._unsafeUnwrap();
    expect((await budgets.openPublicLink(publicToken))._unsafeUnwrap().items).toEqual(SHOWN);
  });

  it("a preview shows the same lines as the creation, and a duplicate copies them", async () => {
    const { budgets, actor, budget } = await made();
    const preview = (await budgets.preview(actor, { items: [...LINES] }))._unsafeUnwrap();
    expect(preview.items).toEqual(budget.items.map(({ id: _, ...line }) => line));
    const copy = (await budgets.duplicate(actor, budget.id))._unsafeUnwrap();
    expect(copy.items.map(({ id: _, ...line }) => line)).toEqual(preview.items);
  });

  it("distributes the budget's discount and tax over the items after their own discounts, adding up exactly", async () => {
    const { budgets, actor } = budgetWorld();
    const input = { customerId: "c", items: [...LINES], discountAmount: 51, taxRate: 0.21 };
    const created = (await budgets.create(actor, input))._unsafeUnwrap();
    expect(created).toMatchObject({ subtotal: 510, discount: 51, tax: 96.39, total: 555.39 });
    expect(itemsOf(created).map(({ discount, tax }) => [discount, tax])).toEqual([
      [9, 17.01],
      [40, 75.6],
      [2, 3.78],
    ]);
  });

  it("stores lines without optional fields when none is given", async () => {
    const { budgets, actor, store } = budgetWorld();
    const items = [{ kind: "item" as const, description: "Table", quantity: 1, unitPrice: 450, unit: null }];
    const { id } = (await budgets.create(actor, { customerId: "c", items }))._unsafeUnwrap();
    expect(Object.keys((await store.findBudget("1", id))?.items[0] ?? {})).toEqual(
      "id productId variantId packageId description quantity unitPrice total discount tax".split(" "),
    );
  });

  it.each([
    [[LINES[0], LINES[4]], { rule: "NO_ITEMS", details: { field: "items" } }],
    [[{ ...hours, discountRate: 0.1, discountAmount: 1 }], { rule: "DISCOUNT_RATE_AND_AMOUNT" }],
    [[LINES[0], { ...hours, discountAmount: 100.01 }], { rule: "DISCOUNT_EXCEEDS_ITEM" }],
    [[{ ...hours, discountAmount: 0.001 }], { errors: [{ field: "items[0].discountAmount", code: "INVALID_FORMAT" }] }],
    [[{ ...hours, discountAmount: 1e15 }], { rule: "AMOUNT_TOO_LARGE" }],
    [[LINES[1], { kind: "subtotal" as const, total: 1 }], { rule: "TOTALS_MISMATCH" }],
    [[{ ...hours, total: 100, discountRate: 0.1 }], { rule: "TOTALS_MISMATCH" }],
  ])("refuses the lines %j together", async (items, problem) => {
    const { budgets, actor } = budgetWorld();
    expect((await budgets.create(actor, { customerId: "c", items }))._unsafeUnwrapErr()).toMatchObject(problem);
    expect((await budgets.preview(actor, { items }))._unsafeUnwrapErr()).toMatchObject(problem);
    const { update } = await made();
    const ownTotals = "details" in problem || items.some((item) => "total" in item);
    if (!ownTotals) expect((await update({ items }))._unsafeUnwrapErr()).toMatchObject(problem);
  });

  it("an update with item ids keeps what it leaves out, and sums the subtotals again", async () => {
    const { update, ids, budget } = await made();
    const same = (await update({ items: ids.map((id) => ({ id })) }))._unsafeUnwrap();
    expect(same).toEqual({ ...budget, version: 2 });
    const [, work = ""] = ids;
    const items = ids.map((id) => (id === work ? { id, quantity: 5 } : { id }));
    const changed = (await update({ items }))._unsafeUnwrap();
    expect(changed.items[1]).toMatchObject({ quantity: 5, unit: "hours", discountRate: 0.1, total: 180 });
    expect(changed.items[4]).toMatchObject({ kind: "subtotal", total: 580 });
  });

  it("an update accepts lines as a read shows them, except for computed figures", async () => {
    const { update, budget } = await made();
    const items = budget.items.map((line) => {
      if (line.kind === undefined) return sendable(line);
      return line.kind === "subtotal" ? { id: line.id, kind: line.kind } : line;
    });
    expect((await update({ items }))._unsafeUnwrap()).toEqual({ ...budget, version: 2 });
  });

  it("an update replaces a rate discount by an amount, and removes discount and unit with null", async () => {
    const { update, ids } = await made();
    const [, work = "", , table = ""] = ids;
    const after = async (id: string, fields: object) => {
      const items = [work, table].map((each) => (each === id ? { id, ...fields } : { id: each }));
      return itemsOf((await update({ items }))._unsafeUnwrap()).find((item) => item.id === id);
    };
    const byAmount = await after(work, { discountAmount: 30 });
    expect(byAmount).toMatchObject({ discountAmount: 30, total: 70 });
    expect(byAmount).not.toHaveProperty("discountRate");
    expect(await after(work, { discountRate: null })).toMatchObject({ discountAmount: 30 });
    const none = await after(work, { discountAmount: null, unit: null });
    expect(none).toMatchObject({ total: 100 });
    for (const field of ["discountAmount", "discountRate", "unit"]) expect(none).not.toHaveProperty(field);
    expect(await after(table, { discountRate: 1 })).toMatchObject({ discountRate: 1, total: 0 });
    expect(await after(table, { discountRate: null })).toMatchObject({ total: 450 });
  });

  it("a line keeps its kind, and a new line requires the fields of its kind (WRONG_LINE_KIND)", async () => {
    const { update, ids } = await made();
    const [heading = "", work = ""] = ids;
    const refused = async (...lines: object[]) =>
      (await update({ items: [{ id: work }, ...lines] }))._unsafeUnwrapErr();
    expect(await refused({ id: heading, kind: "text" })).toMatchObject({
      rule: "WRONG_LINE_KIND",
      details: { field: "items[1].kind", kind: "heading" },
    });
    expect(await refused({ id: heading, unitPrice: 3 })).toMatchObject({
      rule: "WRONG_LINE_KIND",
      details: { field: "items[1].unitPrice" },
    });
    expect(await refused({ kind: "heading" })).toMatchObject({
      errors: [{ field: "items[1].description", code: "REQUIRED" }],
    });
    expect(await refused({ kind: "subtotal", quantity: 1 })).toMatchObject({
      errors: [{ field: "items[1].quantity", code: "INVALID_TYPE" }],
    });
    expect(await refused({ description: "x" })).toMatchObject({
      errors: [
        { field: "items[1].quantity", code: "REQUIRED" },
        { field: "items[1].unitPrice", code: "REQUIRED" },
      ],
    });
    const grown = (await update({ items: [{ id: work }, { kind: "subtotal" }] }))._unsafeUnwrap();
    expect(grown.items.at(-1)).toMatchObject({ kind: "subtotal", total: 90 });
  });

  it.each([
    [{ kind: "heading", description: "x", unitPrice: 1 }, "items[0].unitPrice", "INVALID_TYPE"],
    [{ kind: "text" }, "items[0].description", "REQUIRED"],
    [{ kind: "other", description: "x" }, "items[0].kind", "INVALID_VALUE"],
    [{ ...hours, unit: "x".repeat(21) }, "items[0].unit", "MAX_LENGTH"],
    [{ ...hours, unit: "" }, "items[0].unit", "MIN_LENGTH"],
    [{ ...hours, discountRate: 1.1 }, "items[0].discountRate", "MAX_VALUE"],
    [{ ...hours, discountRate: -0.1 }, "items[0].discountRate", "MIN_VALUE"],
    [{ ...hours, discountAmount: -1 }, "items[0].discountAmount", "MIN_VALUE"],
    [{ ...hours, quantity: -1 }, "items[0].quantity", "MIN_VALUE"],
  ])("refuses the line %j", async (line, field, code) => {
    const { budgets, actor } = budgetWorld();
    const input = JSON.parse(JSON.stringify({ customerId: "c", items: [line] }));
    expect((await budgets.create(actor, input))._unsafeUnwrapErr()).toMatchObject({ errors: [{ field, code }] });
  });

  it("compares the lines of revisions by id and field", async () => {
    const { budgets, actor, budget, update, ids } = await made();
    const [heading = "", work = ""] = ids;
    const items = [{ id: work, discountAmount: 20, unit: "days" }, { kind: "subtotal" as const }];
    const after = (await update({ items }))._unsafeUnwrap();
    const { changes } = (await budgets.compareRevisions(actor, budget.id, after.revision))._unsafeUnwrap();
    expect(changes).toContainEqual({ kind: "item-removed", id: heading, item: LINES[0] });
    expect(changes).toContainEqual({
      kind: "item-changed",
      id: work,
      fields: [
        { field: "unit", before: "hours", after: "days" },
        { field: "discountRate", before: 0.1, after: null },
        { field: "discountAmount", before: null, after: 20 },
        { field: "total", before: 90, after: 80 },
      ],
    });
    expect(changes.at(-1)).toMatchObject({ kind: "item-added", position: 1, item: { kind: "subtotal", total: 80 } });
  });

  it("keeps the acceptance when only an item's discount grows", async () => {
    const { budgets, actor } = budgetWorld();
    const offer = {
      currency: "USD",
      issueDate: "2026-03-01",
      expirationDate: "2026-12-31",
      customerId: 1,
      sellerId: 7,
    };
    const item = { quantity: 1, unitPrice: 100, unit: "day", discountRate: 0.1 };
    const amounts = { minimumPaymentToConfirm: 50, subtotal: 90, iva: 0, total: 90 };
    const made = (await budgets.createPublic(actor, { ...offer, ...amounts, items: [item] }))._unsafeUnwrap();
    const shown = (await budgets.openPublicLink(made.publicToken))._unsafeUnwrap();
    expect(shown.items).toEqual([{ description: "Item", ...item, total: 90 }]);
    (await budgets.answerPublicLink(made.publicToken, "accept", { version: 1, name: "Ana" }))._unsafeUnwrap();
    const id = String(made.budgetId);
    const [line] = (await budgets.get(actor, id))._unsafeUnwrap().items;
    const lower = await budgets.update(actor, id, { items: [{ id: line?.id ?? "", discountRate: 0.2 }] });
    expect(lower._unsafeUnwrap()).toMatchObject({ total: 80, acceptance: { acceptedBy: "customer:Ana" } });
  });
});

/** An item that was read, without the figures and the product, which updates do not take. */
function sendable({ kind: _, total, discount, tax, product, package: __, ...item }: BudgetItemView) {
  return item;
}

type BudgetItemView = Extract<BudgetView["items"][number], { readonly quantity: number }>;
