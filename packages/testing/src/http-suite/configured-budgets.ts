import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { KITCHEN } from "./kitchen.js";
import { aBudgetBody, aPublicBody, assertInvalid, assertRule, assertStatus, BUDGETS } from "./samples.js";

const ITEM = { description: "Table", quantity: 1, unitPrice: 100 };
const VAT = { id: "vat", rate: 0.21 };

export function configuredBudgetCases(cases: HttpCases): void {
  figureCases(cases);
  changeCases(cases);
  taxRuleCases(cases);
  lineRuleCases(cases);
}

function figureCases({ it }: HttpCases): void {
  it("one request creates an offer with a choice, tiers, contained tax, later cycles and a deposit", async (world) => {
    const { full } = world;
    const created = assertStatus(await full.post(BUDGETS, aBudgetBody(KITCHEN)), 201);
    created.assertData({
      total: 5_321,
      subtotal: 4_397.52,
      tax: 923.48,
      taxRate: null,
      "taxes.0.base": 4_397.52,
      "taxes.0.amount": 923.48,
      minimumPaymentToConfirm: 1_596.3,
      balance: 5_321,
      "items.0.gross": 4_000,
      "items.2.selected": false,
      "items.2.total": 0,
      "items.6.unitPrice": 40,
      "recurring.0": {
        interval: "year",
        intervalCount: 1,
        cycles: 3,
        subtotal: 100,
        tax: 21,
        total: 121,
      },
    });
    const read = assertStatus(await full.get(`${BUDGETS}/${created.text("data.id")}`), 200);
    assert.deepEqual(read.at("data.items"), created.at("data.items"));
    const listed = await full.get(BUDGETS);
    assert.deepEqual(listed.at("data.0.taxes"), created.at("data.taxes"));
    const copied = await full.post(`${BUDGETS}/${created.text("data.id")}/duplicate`);
    copied.assertData({ total: 5_321, "deposit.rate": 0.3, "items.1.key": "worktop" });
  });

  it("a preview has the figures of the creation, with the steps of each tax", async ({ full }) => {
    const preview = assertStatus(await full.post(`${BUDGETS}/preview`, aBudgetBody(KITCHEN)), 200);
    preview.assertData({ total: 5_321, "taxes.0.amount": 923.48, minimumPaymentToConfirm: 1_596.3 });
    const steps = preview.at("data.trace");
    assert.ok(Array.isArray(steps));
    for (const step of ["contained-tax", "not-selected", "recurring", "deposit"]) {
      assert.ok(
        steps.some((each) => each.step === step),
        step,
      );
    }
  });

  it("a withholding lowers what is payable, and no more than that can be paid", async ({ full }) => {
    const taxes = [VAT, { id: "irpf", rate: 0.15, kind: "withholding" }];
    const items = [{ ...ITEM, unitPrice: 1_000 }];
    const created = await full.post(BUDGETS, aBudgetBody({ taxRate: undefined, taxes, items }));
    created.assertData({ total: 1_210, withheld: 150, payable: 1_060 });
    const path = `${BUDGETS}/${created.text("data.id")}/payments`;
    assertRule(await full.post(path, { amount: 1_060.01, reference: "1" }), "PAYMENT_EXCEEDS_TOTAL");
    assertStatus(await full.post(path, { amount: 1_060, reference: "1" }), 201);
  });

  it("shows the business what a budget costs, and its margin", async ({ full }) => {
    const items = [
      { ...ITEM, unitCost: 60.5 },
      { ...ITEM, unitCost: 10, optional: true },
    ];
    const created = await full.post(BUDGETS, aBudgetBody({ items, taxRate: 0 }));
    created.assertData({ total: 100, cost: 60.5, margin: 39.5, "items.0.unitCost": 60.5 });
  });

  it("public creation takes taxes that agree with iva", async ({ full }) => {
    const taxes = [VAT];
    assertStatus(await full.post("/api/budgets/public", aPublicBody({ taxes })), 201);
    const wrong = aPublicBody({ taxes, iva: 200, total: 1_200 });
    assertRule(await full.post("/api/budgets/public", wrong), "TOTALS_MISMATCH", "tax");
    const open = aPublicBody({
      items: [{ productId: 700, quantity: 2, unitPrice: 500, optional: true, selected: true }],
    });
    assertRule(await full.post("/api/budgets/public", open), "TAX_RATE_REQUIRED", "items[0]");
    assertStatus(await full.post("/api/budgets/public", { ...open, taxes }), 201);
  });
}

function changeCases({ it }: HttpCases): void {
  it("a change takes the tier of its quantity, and null removes what a line had", async ({ full }) => {
    const created = await full.post(BUDGETS, aBudgetBody(KITCHEN));
    const path = `${BUDGETS}/${created.text("data.id")}`;
    const ids = [0, 6, 7].map((index) => ({ id: created.text(`data.items.${index}.id`) }));
    const [cupboards, tiles, maintenance] = ids;
    const items = [cupboards, { ...tiles, quantity: 40 }, { ...maintenance, recurring: null }];
    const changed = assertStatus(await full.put(path, { items, deposit: null }), 200);
    changed.assertData({
      total: 5_561,
      "items.1.unitPrice": 36,
      "items.2.recurring": undefined,
      recurring: undefined,
      deposit: undefined,
      minimumPaymentToConfirm: undefined,
    });
    const rated = assertStatus(await full.put(path, { taxRate: 0.1 }), 200);
    rated.assertData({ taxRate: 0.1, taxes: undefined, subtotal: 5_561, total: 6_117.1 });
    const fixed = assertStatus(
      await full.put(path, { items: [{ ...tiles, priceTiers: null, quantityRange: null }] }),
      200,
    );
    fixed.assertData({ "items.0.unitPrice": 36, "items.0.priceTiers": undefined, subtotal: 1_440 });
  });

  it("the difference of two revisions names what of a line changed", async ({ full }) => {
    const created = await full.post(BUDGETS, aBudgetBody(KITCHEN));
    const path = `${BUDGETS}/${created.text("data.id")}`;
    const items = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => ({
      id: created.text(`data.items.${index}.id`),
      ...(index === 3 ? { selected: true } : {}),
    }));
    assertStatus(await full.put(path, { items }), 200);
    const compared = await full.get(`${path}/revisions/2/difference?from=1`);
    const changes = compared.at("data.changes");
    assert.ok(Array.isArray(changes), compared.body);
    const granite = changes.find((each) => each.id === created.text("data.items.3.id"));
    assert.deepEqual(granite?.fields[0], { field: "selected", before: false, after: true });
    assert.ok(changes.some((each) => each.field === "taxes"));
  });
}

function taxRuleCases({ it }: HttpCases): void {
  it("refuses taxes that cannot be computed, with the field of each", async ({ full }) => {
    const create = (taxes: readonly object[], more: object = {}) =>
      full.post(BUDGETS, aBudgetBody({ taxRate: undefined, items: [ITEM], taxes, ...more }));
    assertInvalid(await create([VAT], { taxRate: 0 }), "taxRate:INVALID_VALUE");
    assertInvalid(await create([]), "taxes:MIN_LENGTH");
    const nine = Array.from({ length: 9 }, (_, index) => ({ id: `t${index}`, rate: 0.01 }));
    assertInvalid(await create(nine), "taxes:MAX_LENGTH");
    assertInvalid(await create([{ id: "a b", rate: 2 }]), "taxes[0].id:INVALID_FORMAT", "taxes[0].rate:MAX_VALUE");
    assertRule(await create([VAT, VAT]), "DUPLICATE_TAX", "taxes[1].id");
    assertRule(await create([{ ...VAT, on: ["other"] }]), "UNKNOWN_TAX", "taxes[0].on[0]");
    const circle = [
      { id: "a", rate: 0.1, on: ["b"] },
      { id: "b", rate: 0.1, on: ["a"] },
    ];
    assertRule(await create(circle), "TAX_CYCLE", "taxes[0].on");
    const added = [VAT, { id: "in", rate: 0.1, inclusive: true, on: ["vat"] }];
    assertRule(await create(added), "INVALID_TAX_BASE", "taxes[1].on[0]");
    const withheld = [VAT, { id: "w", rate: 1, kind: "withholding" }, { id: "w2", rate: 1, kind: "withholding" }];
    assertRule(await create(withheld), "WITHHOLDING_EXCEEDS_TOTAL", "taxes");
    assertRule(await create([VAT], { items: [{ ...ITEM, taxes: ["iva"] }] }), "UNKNOWN_TAX", "items[0].taxes[0]");
    const rated = aBudgetBody({ items: [{ ...ITEM, taxes: ["vat"] }] });
    assertRule(await full.post(BUDGETS, rated), "UNKNOWN_TAX", "items[0].taxes");
    assertInvalid(await create([VAT], { deposit: { rate: 0.1, amount: 1 } }), "deposit:INVALID_VALUE");
    assertRule(await create([VAT], { deposit: { amount: 121.01 } }), "MINIMUM_ABOVE_TOTAL", "deposit.amount");
  });
}

function lineRuleCases({ it }: HttpCases): void {
  it("refuses choices, ranges and tiers that do not fit, with the field of each", async ({ full }) => {
    const create = (...items: object[]) => full.post(BUDGETS, aBudgetBody({ items }));
    const choice = { kind: "choice", key: "wood", description: "Wood" };
    const oak = { ...ITEM, choice: "wood" };
    assertRule(await create(choice, choice, oak), "DUPLICATE_CHOICE", "items[1].key");
    assertRule(await create(oak), "UNKNOWN_CHOICE", "items[0].choice");
    assertRule(await create(choice, ITEM), "IMPOSSIBLE_CHOICE", "items[0]");
    assertRule(await create({ ...choice, minimum: 2, maximum: 2 }, oak), "IMPOSSIBLE_CHOICE", "items[0]");
    assertRule(
      await create(choice, { ...oak, selected: true }, { ...oak, selected: true }),
      "CHOICE_EXCEEDED",
      "items[0]",
    );
    assertRule(await create({ ...ITEM, selected: true }), "NOT_SELECTABLE", "items[0].selected");
    assertRule(await create(choice, { ...oak, optional: true }), "NOT_SELECTABLE", "items[1].optional");
    const range = { minimum: 1, maximum: 3, step: 0.5 };
    const ranged = { ...ITEM, quantityRange: range };
    assertRule(await create({ ...ranged, quantity: 3.5 }), "QUANTITY_OUT_OF_RANGE", "items[0].quantity");
    assertRule(await create({ ...ranged, quantity: 1.25 }), "QUANTITY_OUT_OF_RANGE", "items[0].quantity");
    const uneven = { ...ITEM, quantityRange: { ...range, maximum: 3.2 } };
    assertRule(await create(uneven), "INVALID_QUANTITY_RANGE", "items[0].quantityRange");
    const tiers = [
      { from: 5, unitPrice: 9 },
      { from: 5, unitPrice: 8 },
    ];
    assertRule(await create({ ...ITEM, priceTiers: tiers }), "TIERS_NOT_ASCENDING", "items[0].priceTiers[1].from");
    const { unitPrice: _, ...unpriced } = ITEM;
    assertInvalid(await create(unpriced), "items[0].unitPrice:REQUIRED");
    assertInvalid(await create({ ...unpriced, priceTiers: [tiers[0]] }), "items[0].unitPrice:REQUIRED");
    const never = { ...ITEM, recurring: { interval: "month", intervalCount: 0, cycles: 0 } };
    assertInvalid(
      await create(never),
      "items[0].recurring.intervalCount:MIN_VALUE",
      "items[0].recurring.cycles:MIN_VALUE",
    );
    assertInvalid(await create(ITEM, { ...choice, optional: true }), "items[1].optional:INVALID_TYPE");
    const twenty = Array.from({ length: 21 }, (_, from) => ({ from: from + 1, unitPrice: 1 }));
    assertInvalid(await create({ ...ITEM, priceTiers: twenty }), "items[0].priceTiers:MAX_LENGTH");
    const many = Array.from({ length: 21 }, (_, index) => [
      { ...choice, key: `k${index}` },
      { ...oak, choice: `k${index}` },
    ]).flat();
    assertRule(await create(...many), "TOO_MANY_OPTIONS", "items");
    assertRule(await create(choice, ...Array.from({ length: 51 }, () => oak)), "TOO_MANY_OPTIONS", "items[0]");
  });
}
