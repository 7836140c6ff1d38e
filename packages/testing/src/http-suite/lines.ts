import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { aBudgetBody, aPublicBody, assertInvalid, assertRule, assertStatus, BUDGETS } from "./samples.js";

const ITEM = { description: "Fitting", quantity: 2.5, unitPrice: 40 };
const LINES = [
  { kind: "heading", description: "Kitchen" },
  { ...ITEM, unit: "hours", discountRate: 0.1 },
  { kind: "text", description: "Without appliances." },
  { description: "Oak table", quantity: 1, unitPrice: 450, discountAmount: 50 },
  { kind: "subtotal", description: "Kitchen in all" },
] as const;

export function lineCases({ it }: HttpCases): void {
  it("a budget has items, headings, texts and subtotals; items have units and discounts", async ({ full }) => {
    const created = await full.post(BUDGETS, aBudgetBody({ items: LINES, discountAmount: 49, taxRate: 0.21 }));
    assertStatus(created, 201);
    created.assertData({ subtotal: 490, discount: 49, tax: 92.61, total: 533.61 });
    const [heading, fitting, , table, subtotal] = [0, 1, 2, 3, 4].map((index) => created.at(`data.items.${index}`));
    assert.deepEqual({ ...Object(heading), id: "" }, { ...LINES[0], id: "" });
    assert.deepEqual({ ...Object(fitting), id: "" }, { ...LINES[1], id: "", total: 90, discount: 9, tax: 17.01 });
    assert.deepEqual({ ...Object(table), id: "" }, { ...LINES[3], id: "", total: 400, discount: 40, tax: 75.6 });
    assert.deepEqual({ ...Object(subtotal), id: "" }, { ...LINES[4], id: "", total: 490 });
    const read = await full.get(`${BUDGETS}/${created.text("data.id")}`);
    assert.deepEqual(read.at("data.items"), created.at("data.items"));
  });

  it("shows the lines of a budget on the customer's page and in its view", async ({ full, anonymous }) => {
    const created = await full.post(BUDGETS, aBudgetBody({ items: LINES }));
    const link = await full.post(`${BUDGETS}/${created.text("data.id")}/public-link`);
    const path = `/p/${link.text("data.publicToken")}`;
    (await anonymous.get(path)).assertData({ "items.0": LINES[0], "items.1": { ...LINES[1], total: 90 } });
    const page = await anonymous.get(path, { accept: "text/html" });
    for (const text of [">Kitchen</h3>", "2.5 hours", "Discount \u221210%", "Kitchen in all"]) {
      assert.ok(page.body.includes(text), text);
    }
  });

  it("lines change by their ids and keep their kind (WRONG_LINE_KIND)", async ({ full }) => {
    const created = await full.post(BUDGETS, aBudgetBody({ items: LINES }));
    const path = `${BUDGETS}/${created.text("data.id")}`;
    const ids = [0, 1, 4].map((index) => ({ id: created.text(`data.items.${index}.id`) }));
    const [heading, fitting, subtotal] = ids;
    const lower = { ...fitting, discountAmount: 25 };
    const changed = await full.put(path, { items: [heading, lower, subtotal, { kind: "text", description: "New" }] });
    assertStatus(changed, 200);
    changed.assertData({ "items.1.discountRate": undefined, "items.2.total": 75 });
    assertRule(await full.put(path, { items: [fitting, { ...heading, kind: "text" }] }), "WRONG_LINE_KIND");
    assertRule(await full.put(path, { items: [fitting, { ...heading, quantity: 1 }] }), "WRONG_LINE_KIND");
  });

  it("refuses wrong lines (NO_ITEMS, DISCOUNT_EXCEEDS_ITEM, DISCOUNT_RATE_AND_AMOUNT)", async ({ full }) => {
    const create = (...items: object[]) => full.post(BUDGETS, aBudgetBody({ items }));
    assertRule(await create(LINES[0], LINES[2]), "NO_ITEMS");
    assertRule(await create({ ...ITEM, discountAmount: 100.01 }), "DISCOUNT_EXCEEDS_ITEM");
    assertRule(await create({ ...ITEM, discountAmount: 1, discountRate: 0.1 }), "DISCOUNT_RATE_AND_AMOUNT");
    assertRule(await create({ ...ITEM, discountRate: 0.1, total: 100 }), "TOTALS_MISMATCH");
    assertInvalid(await create(ITEM, { ...LINES[0], quantity: 1 }), "items[1].quantity:INVALID_TYPE");
    assertInvalid(await create({ ...ITEM, discountRate: -0.1 }), "items[0].discountRate:MIN_VALUE");
    assertInvalid(await create({ ...ITEM, unit: "x".repeat(21) }), "items[0].unit:MAX_LENGTH");
    assertInvalid(await create(...Array.from({ length: 501 }, () => LINES[0])), "items:MAX_LENGTH");
  });

  it("items of a public creation may have units and discounts", async ({ full }) => {
    const items = [{ quantity: 2, unitPrice: 500, unit: "m²", discountRate: 0.25 }];
    const amounts = { subtotal: 750, iva: 0, total: 750 };
    const created = assertStatus(await full.post("/api/budgets/public", aPublicBody({ items, ...amounts })), 201);
    const read = await full.get(`${BUDGETS}/${created.at("budgetId")}`);
    read.assertData({ "items.0.discountRate": 0.25, "items.0.total": 750 });
  });
}
