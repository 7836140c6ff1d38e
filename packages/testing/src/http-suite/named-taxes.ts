import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { createIn, PACKAGES, PRODUCTS } from "./catalog-kinds.js";
import { aBudgetBody, aPublicBody, assertInvalid, assertRule, assertStatus, assertWrong, BUDGETS } from "./samples.js";
import type { World } from "./world.js";

const BUSINESS = "/api/developer/business";
const EVENTS = "/api/developer/events";

const IVA = { id: "iva", name: "IVA 21 %", rate: 0.21, kind: "tax", inclusive: false, on: [], default: true };
const REDUCED = { ...IVA, id: "reduced", name: "IVA 10.5 %", rate: 0.105, default: false };

const ITEM = { description: "Table", quantity: 1, unitPrice: 100 };

const keyOf = ({ withKey }: World) =>
  withKey({ scopes: ["READ_BUDGETS", "WRITE_BUDGETS", "WRITE_PRODUCTS", "READ_PRODUCTS"] });

export function namedTaxCases(cases: HttpCases): void {
  businessTaxCases(cases);
  budgetTaxCases(cases);
  productCases(cases);
}

function businessTaxCases({ it }: HttpCases): void {
  it("a business has named taxes, which null or an empty list clears", async ({ owner, member }) => {
    const none = await owner.get(BUSINESS);
    assert.ok(!("taxes" in JSON.parse(none.body)));
    const set = assertStatus(await owner.put(BUSINESS, { taxes: [{ id: "iva", rate: 0.21 }, REDUCED] }), 200);
    assert.deepEqual(set.at("taxes"), [{ ...IVA, name: "iva", default: false }, REDUCED]);
    assert.equal((await member.get(BUSINESS)).body, set.body);
    assert.deepEqual((await owner.put(BUSINESS, { phone: "1" })).at("taxes"), set.at("taxes"));
    for (const taxes of [null, []]) {
      await owner.put(BUSINESS, { taxes: [IVA] });
      assert.ok(!("taxes" in JSON.parse((await owner.put(BUSINESS, { taxes })).body)));
    }
  });

  it("refuses taxes of a business that cannot be computed together (DUPLICATE_TAX, UNKNOWN_TAX, TAX_CYCLE, INVALID_TAX_BASE)", async ({
    owner,
  }) => {
    const cases = [
      [[IVA, IVA], "DUPLICATE_TAX", "taxes[1].id"],
      [[{ ...IVA, on: ["levy"] }], "UNKNOWN_TAX", "taxes[0].on[0]"],
      [
        [
          { ...IVA, on: ["b"] },
          { ...IVA, id: "b", on: ["iva"] },
        ],
        "TAX_CYCLE",
        "taxes[0].on",
      ],
      [[{ ...IVA, kind: "withholding", inclusive: true }], "INVALID_TAX_BASE", "taxes[0].inclusive"],
    ] as const;
    for (const [taxes, code, field] of cases) {
      assertRule(await owner.put(BUSINESS, { taxes }), code, field);
    }
    assert.equal((await owner.get(BUSINESS)).at("version"), 1);
  });

  it("refuses more than 20 named taxes, more default taxes than a budget can have, and wrong rates", async ({
    owner,
  }) => {
    const many = (count: number, isDefault: boolean) =>
      Array.from({ length: count }, (_, index) => ({ id: `t${index}`, rate: 0.01, default: isDefault }));
    for (const taxes of [many(21, false), many(9, true)]) {
      assertWrong(await owner.put(BUSINESS, { taxes }), "taxes");
    }
    assertWrong(await owner.put(BUSINESS, { taxes: [{ id: "iva", rate: 21 }] }), "taxes[0].rate");
    assertStatus(await owner.put(BUSINESS, { taxes: many(20, false) }), 200);
  });

  it("members cannot change the taxes of the business (403)", async ({ member }) => {
    assertStatus(await member.put(BUSINESS, { taxes: [IVA] }), 403);
  });

  it("customers do not see the taxes of the business on their page", async ({ owner, full, anonymous }) => {
    const made = assertStatus(await full.post("/api/public/budgets/public", aPublicBody()), 201);
    const link = `/p/${made.text("publicToken")}`;
    const before = (await anonymous.get(link)).body;
    assertStatus(await owner.put(BUSINESS, { taxes: [IVA] }), 200);
    const after = (await anonymous.get(link)).body;
    assert.equal(after, before);
  });
}

function budgetTaxCases({ it }: HttpCases): void {
  const { taxRate: _rate, taxes: _taxes, ...body } = { taxRate: 0, taxes: null, ...aBudgetBody({ items: [ITEM] }) };

  it("budgets name the taxes of the business by id, in creations, previews and updates", async ({ owner, full }) => {
    await owner.put(BUSINESS, { taxes: [{ ...IVA, default: false }, REDUCED] });
    const { default: _isDefault, ...tax } = REDUCED;
    const expected = [{ ...tax, base: 100, amount: 10.5 }];
    const shown = assertStatus(await full.post(`${BUDGETS}/preview`, { ...body, taxes: ["reduced"] }), 200);
    assert.deepEqual(shown.at("data.taxes"), expected);
    const made = assertStatus(await full.post(BUDGETS, { ...body, taxes: ["reduced"] }), 201);
    assert.deepEqual(made.at("data.taxes"), expected);
    await owner.put(BUSINESS, { taxes: [IVA] });
    const path = `${BUDGETS}/${made.text("data.id")}`;
    assert.deepEqual((await full.get(path)).at("data.taxes"), expected);
    const changed = assertStatus(await full.put(path, { taxes: ["iva"] }), 200);
    assert.equal(changed.at("data.total"), 121);
    assertRule(await full.put(path, { taxes: ["iva", "reduced"] }), "UNKNOWN_TAX", "taxes[1]");
  });

  it("budgets without taxes and taxRate get the default taxes of the business", async ({ owner, full }) => {
    assert.equal((await full.post(BUDGETS, body)).at("data.taxRate"), 0);
    await owner.put(BUSINESS, { taxes: [IVA, REDUCED] });
    const made = assertStatus(await full.post(BUDGETS, body), 201);
    assert.deepEqual(
      [made.at("data.taxes.0.id"), made.at("data.taxes.1"), made.at("data.tax")],
      ["iva", undefined, 21],
    );
    assert.equal((await full.post(BUDGETS, { ...body, taxRate: 0 })).at("data.tax"), 0);
  });

  it("refuses a tax that is neither an id nor a tax, with the field", async ({ full }) => {
    for (const [tax, field] of [
      ["not an id", "taxes[0]:INVALID_FORMAT"],
      [7, "taxes[0]:INVALID_TYPE"],
      [{ id: "iva" }, "taxes[0].rate:REQUIRED"],
      [{ rate: 0.21 }, "taxes[0].id:REQUIRED"],
    ] as const) {
      assertInvalid(await full.post(BUDGETS, { ...body, taxes: [tax] }), field);
    }
  });
}

function productCases({ it }: HttpCases): void {
  const tiers = [
    { from: 0, unitPrice: 100 },
    { from: 10, unitPrice: 90 },
  ];
  const recurring = { interval: "month", intervalCount: 1, cycles: null };
  const defaults = { unit: "hours", taxes: ["reduced"], recurring, priceTiers: tiers, unitCost: 40 };

  for (const [name, path, content] of [
    ["product", PRODUCTS, { id: "x", name: "Hour" }],
    ["package", PACKAGES, { id: "x", name: "Set", items: [{ productId: "p", quantity: 1 }] }],
  ] as const) {
    it(`a ${name} has unit, taxes, tiers, recurrence and cost only where they are set, and null clears them`, async (world) => {
      const client = await keyOf(world);
      await world.owner.put(BUSINESS, { taxes: [IVA, REDUCED] });
      await createIn(client, PRODUCTS, { id: "p", name: "Part" });
      const set = assertStatus(await client.post(path, { ...content, ...defaults }), 201);
      for (const [field, value] of Object.entries(defaults)) assert.deepEqual(set.at(`data.${field}`), value, field);
      assert.deepEqual((await client.get(`${path}/x`)).at("data"), set.at("data"));
      const none = Object.fromEntries(Object.keys(defaults).map((field) => [field, null]));
      const cleared = assertStatus(await client.put(`${path}/x`, none), 200);
      for (const field of Object.keys(defaults)) assert.ok(!(field in Object(cleared.at("data"))), field);
    });

    it(`refuses unknown taxes (UNKNOWN_TAX) and falling tiers (TIERS_NOT_ASCENDING) of a ${name}, with the field`, async (world) => {
      const client = await keyOf(world);
      await world.owner.put(BUSINESS, { taxes: [IVA] });
      await createIn(client, PRODUCTS, { id: "p", name: "Part" });
      assertRule(await client.post(path, { ...content, taxes: ["iva", "vat"] }), "UNKNOWN_TAX", "taxes[1]");
      const falling = [...tiers, { from: 5, unitPrice: 80 }];
      assertRule(
        await client.post(path, { ...content, priceTiers: falling }),
        "TIERS_NOT_ASCENDING",
        "priceTiers[2].from",
      );
    });
  }

  it("a line takes from its product what it leaves out, and brings its taxes", async (world) => {
    const client = await keyOf(world);
    await world.owner.put(BUSINESS, { taxes: [IVA, REDUCED] });
    await createIn(client, PRODUCTS, { id: "hour", name: "Hour", ...defaults });
    const { taxRate: _none, ...body } = { taxRate: 0, ...aBudgetBody() };
    const items = [{ productId: "hour", description: "Work", quantity: 10 }, ITEM];
    const made = assertStatus(await client.post(BUDGETS, { ...body, items }), 201);
    made.assertAt({
      "data.items.0.unit": "hours",
      "data.items.0.unitPrice": 90,
      "data.items.0.unitCost": 40,
      "data.items.0.taxes": ["reduced"],
      "data.items.0.recurring": recurring,
      "data.items.1.taxes": ["iva"],
      "data.tax": 115.5,
    });
    assertRule(await client.post(BUDGETS, { ...body, items, taxes: ["iva"] }), "UNKNOWN_TAX", "items[0].taxes[0]");
  });

  it("a line without a price needs a product that has one (REQUIRED)", async (world) => {
    const client = await keyOf(world);
    await createIn(client, PRODUCTS, { id: "free", name: "Free" });
    for (const productId of ["free", null]) {
      const items = [ITEM, { productId, description: "Work", quantity: 1 }];
      assertInvalid(await client.post(BUDGETS, aBudgetBody({ items })), "items[1].unitPrice:REQUIRED");
    }
  });

  it("keeps what a unit costs out of the events and audit entries of products and packages", async (world) => {
    const client = await keyOf(world);
    const variants = [{ id: "v", name: "Night", unitCost: 60.25 }];
    await createIn(client, PRODUCTS, { id: "p", name: "Hour", unitCost: 40.25, variants });
    await createIn(client, PACKAGES, {
      id: "b",
      name: "Set",
      unitCost: 70.25,
      items: [{ productId: "p", quantity: 1 }],
    });
    await client.put(`${PRODUCTS}/p`, { unitPrice: 90, unitCost: 41.25 });
    await client.put(`${PRODUCTS}/p`, { unitCost: 42.25 });
    await client.put(`${PRODUCTS}/p`, { unitCost: 42.25 });
    await client.put(`${PACKAGES}/b`, { unitCost: 71.25 });
    const events = await world.owner.get(`${EVENTS}?subjectId=p`);
    assert.deepEqual(
      [2, 1, 0].map((index) => Object(events.at(`data.${index}.change`)).fields),
      [[], ["unitPrice", "internalFigures"], ["internalFigures"]],
    );
    assert.deepEqual(events.at("data.1.data.previous"), { unitPrice: null });
    assert.deepEqual(events.at("data.0.data.changes"), []);
    const audited = await world.owner.get(`${EVENTS}?subjectId=b`);
    assert.equal(audited.at("pagination.total"), 2);
    for (const { body } of [events, audited]) assert.doesNotMatch(body, /unitCost|\d\.25/);
  });
}
