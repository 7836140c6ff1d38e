import assert from "node:assert/strict";
import { HOUR_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { aBudgetBody, approve, assertInvalid, assertRule, assertStatus, BUDGETS, createBudget } from "./samples.js";
import { START } from "./world.js";

export function budgetCases({ it }: HttpCases): void {
  it("creates a PENDING budget with computed totals and numbered items (201)", async ({ full }) => {
    const created = await full.post(
      BUDGETS,
      aBudgetBody({ discountAmount: 31, notes: "Thanks", validUntil: "2026-04-01T10:00:00+02:00", metadata: { a: 1 } }),
    );
    assertStatus(created, 201);
    const id = created.text("data.id");
    assert.match(id, /^[1-9]\d*$/);
    created.assertData({ status: "PENDING", currency: "USD", subtotal: 331, discount: 31, tax: 63 });
    created.assertData({ total: 363, "items.0.total": 301, "items.1.total": 30 });
    assert.notEqual(created.at("data.items.0.id"), created.at("data.items.1.id"));
    created.assertData({ validUntil: "2026-04-01T08:00:00.000Z", createdAt: START, updatedAt: START });
    created.assertData({ approvedAt: null, metadata: { a: 1 }, createdBy: `key:${full.id}` });
  });

  it("the Location of a created budget is relative to the requested path", async ({ full }) => {
    const created = await full.post(BUDGETS, aBudgetBody());
    const location = new URL(created.headers.location ?? "", `https://host.example/any/prefix/v1${BUDGETS}`);
    assert.equal(location.pathname, `/any/prefix/v1${BUDGETS}/${created.text("data.id")}`);
  });

  it("reports a missing customerId and an empty item list (REQUIRED, MIN_LENGTH)", async ({ full }) => {
    assertInvalid(await full.post(BUDGETS, { items: [] }), "customerId:REQUIRED", "items:MIN_LENGTH");
  });

  const item = { description: "Table", quantity: 1, unitPrice: 10 };
  const wrong: readonly (readonly [Readonly<Record<string, unknown>>, ...string[]])[] = [
    [{ customerId: 5 }, "customerId:INVALID_TYPE"],
    [{ customerId: "" }, "customerId:MIN_LENGTH"],
    [{ customerId: "a b" }, "customerId:INVALID_FORMAT"],
    [{ customerId: "x".repeat(65) }, "customerId:MAX_LENGTH"],
    [{ items: "none" }, "items:INVALID_TYPE"],
    [{ items: [null] }, "items[0]:INVALID_TYPE"],
    [{ items: new Array(501).fill(item) }, "items:MAX_LENGTH"],
    [{ items: [item, { ...item, quantity: 0 }] }, "items[1].quantity:MIN_VALUE"],
    [{ items: [{ ...item, quantity: -1 }] }, "items[0].quantity:MIN_VALUE"],
    [{ items: [{ ...item, quantity: "1" }] }, "items[0].quantity:INVALID_TYPE"],
    [{ items: [{ ...item, quantity: 0.0000001 }] }, "items[0].quantity:INVALID_FORMAT"],
    [{ items: [{ ...item, unitPrice: -0.01 }] }, "items[0].unitPrice:MIN_VALUE"],
    [{ items: [{ quantity: 1, unitPrice: 1 }] }, "items[0].description:REQUIRED"],
    [{ items: [{ ...item, description: "" }] }, "items[0].description:MIN_LENGTH"],
    [{ items: [{ ...item, description: "x".repeat(2_001) }] }, "items[0].description:MAX_LENGTH"],
    [{ currency: "usd" }, "currency:INVALID_VALUE"],
    [{ currency: "XXX" }, "currency:INVALID_VALUE"],
    [{ taxRate: 1.01 }, "taxRate:MAX_VALUE"],
    [{ taxRate: -0.1 }, "taxRate:MIN_VALUE"],
    [{ taxRate: "21%" }, "taxRate:INVALID_TYPE"],
    [{ discountAmount: -1 }, "discountAmount:MIN_VALUE"],
    [{ notes: "x".repeat(10_001) }, "notes:MAX_LENGTH"],
    [{ validUntil: "next week" }, "validUntil:INVALID_FORMAT"],
    [{ validUntil: "2026-02-30" }, "validUntil:INVALID_FORMAT"],
    [{ validUntil: "2026-04-01T24:00:00Z" }, "validUntil:INVALID_FORMAT"],
    [{ validUntil: "2026-04-01 10:00:00" }, "validUntil:INVALID_FORMAT"],
    [{ metadata: [] }, "metadata:INVALID_TYPE"],
    [{ metadata: { a: "x".repeat(17_000) } }, "metadata:MAX_LENGTH"],
  ];
  for (const [overrides, ...errors] of wrong) {
    it(`refuses a budget with ${JSON.stringify(overrides).slice(0, 70)}`, async ({ full }) => {
      assertInvalid(await full.post(BUDGETS, aBudgetBody(overrides)), ...errors);
    });
  }

  it("refuses a budget with numbers that no double holds", async ({ full }) => {
    const body = JSON.stringify(aBudgetBody()).replace("150.5", "1e400");
    assertInvalid(await full.post(BUDGETS, body), "items[0].unitPrice:INVALID_TYPE");
  });

  it("drops unknown fields of a budget, and ignores fields that only answers have", async ({ full }) => {
    const created = await full.post(
      BUDGETS,
      aBudgetBody({ id: "1", status: "APPROVED", businessId: "99", createdBy: "user:1", approvedAt: START, extra: 1 }),
    );
    assertStatus(created, 201);
    assert.equal(created.at("data.status"), "PENDING");
    assert.notEqual(created.at("data.id"), "1");
    created.assertData({ approvedAt: null, createdBy: `key:${full.id}`, extra: undefined });
  });

  it("refuses unknown fields under Prefer: handling=strict, and suggests the right ones", async ({ full }) => {
    const strict = { prefer: "respond-async, handling=strict" };
    const items = [{ description: "Oak table", quantity: 1, unitPrice: 450, price: 450 }];
    const refused = assertStatus(await full.post(BUDGETS, aBudgetBody({ taxrate: 0.21, items }), strict), 400);
    const errors = refused.at("details.errors");
    assert.ok(Array.isArray(errors));
    assert.deepEqual(errors.map(({ field }) => field).sort(), ["items[0].price", "taxrate"]);
    assert.match(JSON.stringify(errors), /Did you mean \\"taxRate\\"/);
    assert.equal(refused.headers["preference-applied"], "handling=strict");
    const created = assertStatus(await full.post(BUDGETS, aBudgetBody({ metadata: { any: 1 } }), strict), 201);
    assert.equal(created.headers["preference-applied"], "handling=strict");
    const lenient = await full.post(BUDGETS, aBudgetBody({ taxrate: 0.21 }), { prefer: "handling=lenient" });
    assertStatus(lenient, 201);
    assert.equal(lenient.headers["preference-applied"], undefined);
  });

  it("refuses a budget that breaks a rule (VALIDITY_IN_THE_PAST, TOTALS_MISMATCH)", async ({ full }) => {
    assertRule(await full.post(BUDGETS, aBudgetBody({ validUntil: "2026-03-01" })), "VALIDITY_IN_THE_PAST");
    assertRule(await full.post(BUDGETS, aBudgetBody({ discountAmount: 1_000 })), "DISCOUNT_EXCEEDS_SUBTOTAL");
    assertRule(await full.post(BUDGETS, aBudgetBody({ total: 1 })), "TOTALS_MISMATCH");
    const huge = [{ description: "All of it", quantity: 9e9, unitPrice: 9e9 }];
    assertRule(await full.post(BUDGETS, aBudgetBody({ items: huge })), "AMOUNT_TOO_LARGE");
  });

  for (const [currency, max, over] of [
    ["JPY", 9_007_199_254_740_991, 9_007_199_254_740_992],
    ["USD", 70_368_744_177_664, 70_368_744_177_664.02],
    ["BHD", 8_796_093_022_208, 8_796_093_022_208.002],
    ["CLF", 549_755_813_888, 549_755_813_888.0002],
  ] as const) {
    it(`accepts amounts in ${currency} up to ${max}, and no larger ones (AMOUNT_TOO_LARGE)`, async ({ full }) => {
      const post = (items: readonly object[], more: object = {}) =>
        full.post(BUDGETS, aBudgetBody({ currency, taxRate: 0, items, ...more }));
      const line = (unitPrice: number, quantity = 1) => ({ description: "All of it", quantity, unitPrice });
      const created = assertStatus(await post([line(max)], { total: max }), 201);
      assert.equal(created.at("data.total"), max);
      assert.equal((await full.get(`${BUDGETS}/${created.text("data.id")}`)).at("data.items.0.total"), max);
      for (const [field, reply] of [
        ["items[0].unitPrice", await post([line(over, 0.1)])],
        ["items[0].total", await post([line(max, 2)])],
        ["subtotal", await post([line(max), line(1)])],
        ["total", await post([line(max)], { taxRate: 1 })],
        ["discountAmount", await post([line(1)], { discountAmount: over })],
        ["total", await post([line(1)], { total: over })],
      ] as const) {
        assertRule(reply, "AMOUNT_TOO_LARGE", field);
        assert.equal(reply.at("details.max"), max);
      }
    });
  }

  it("creates a DRAFT budget on request", async ({ full }) => {
    assert.equal((await full.post(BUDGETS, aBudgetBody({ draft: true }))).at("data.status"), "DRAFT");
  });

  for (const id of ["999999", "0", "abc", "1e3", "-1", "9007199254740993", "ñ", "%F0%9F%99%82"]) {
    it(`finds no budget by the id ${id} (404)`, async ({ full }) => {
      const reply = assertStatus(await full.get(`${BUDGETS}/${encodeURI(decodeURI(id))}`), 404);
      reply.assertAt({ error: "resource_not_found", details: { resource: "budget", id: decodeURI(id) } });
    });
  }

  it("shows an overdue budget as EXPIRED, never as PENDING", async ({ full, clock }) => {
    const id = await createBudget(full, { validUntil: "2026-03-02T13:00:00Z" });
    clock.advance(HOUR_MS);
    assert.equal((await full.get(`${BUDGETS}/${id}`)).at("data.status"), "EXPIRED");
    assert.equal((await full.get(`${BUDGETS}?status=PENDING`)).at("pagination.total"), 0);
    assert.equal((await full.get(`${BUDGETS}?status=EXPIRED`)).at("pagination.total"), 1);
  });

  it("an update changes the given fields and refreshes updatedAt", async ({ full, clock }) => {
    const id = await createBudget(full, { notes: "before", metadata: { a: 1 } });
    clock.advance(1_000);
    const changed = assertStatus(await full.put(`${BUDGETS}/${id}`, { notes: "after" }), 200);
    changed.assertData({ notes: "after", metadata: { a: 1 }, total: 400.51 });
    changed.assertData({ updatedAt: "2026-03-02T12:00:01.000Z", createdAt: START });
  });

  it("an update replaces the items by the given ones", async ({ full }) => {
    const created = await full.post(BUDGETS, aBudgetBody());
    const path = `${BUDGETS}/${created.text("data.id")}`;
    const kept = created.text("data.items.0.id");
    const changed = await full.put(path, {
      items: [
        { id: kept, quantity: 3 },
        { description: "New", quantity: 1, unitPrice: 1 },
      ],
    });
    changed.assertData({ "items.0.id": kept, "items.0.description": "Oak table", "items.0.total": 451.5 });
    assert.equal(changed.at("data.subtotal"), 452.5);
    assertRule(await full.put(path, { items: [{ id: "1" }] }), "UNKNOWN_ITEM");
    assertInvalid(
      await full.put(path, { items: [{ quantity: 1 }] }),
      "items[0].description:REQUIRED",
      "items[0].unitPrice:REQUIRED",
    );
  });

  it("approves a budget with time and actor", async ({ full }) => {
    const id = await createBudget(full);
    const approved = await full.put(`${BUDGETS}/${id}`, { status: "APPROVED" });
    approved.assertData({ status: "APPROVED", approvedAt: START, approvedBy: `key:${full.id}` });
  });

  it("refuses a transition outside the table, with the allowed ones (INVALID_TRANSITION)", async ({ full }) => {
    const id = await createBudget(full);
    await approve(full, id);
    const refused = await full.put(`${BUDGETS}/${id}`, { status: "REJECTED" });
    assertRule(refused, "INVALID_TRANSITION");
    refused.assertAt({ "details.from": "APPROVED", "details.to": "REJECTED" });
    assert.deepEqual(refused.at("details.allowed"), ["COMPLETED", "PENDING"]);
  });

  it("refuses content changes of an approved budget, except metadata (BUDGET_LOCKED)", async ({ full }) => {
    const id = await createBudget(full);
    await approve(full, id);
    const locked = await full.put(`${BUDGETS}/${id}`, { notes: "late" });
    assertRule(locked, "BUDGET_LOCKED");
    assert.deepEqual(locked.at("details.actions"), ["reopen"]);
    assertStatus(await full.put(`${BUDGETS}/${id}`, { metadata: { late: true } }), 200);
  });

  it("an update accepts the four statuses of the contract and no other", async ({ full }) => {
    const id = await createBudget(full);
    for (const status of ["DRAFT", "COMPLETED", "ARCHIVED", "DELETED", "approved", ""]) {
      assertInvalid(await full.put(`${BUDGETS}/${id}`, { status }), "status:INVALID_VALUE");
    }
    assertInvalid(await full.put(`${BUDGETS}/${id}`, { status: 1 }), "status:INVALID_TYPE");
  });

  it("an update accepts an empty change and one to the present status", async ({ full }) => {
    const id = await createBudget(full);
    assertStatus(await full.put(`${BUDGETS}/${id}`, {}), 200);
    assertStatus(await full.put(`${BUDGETS}/${id}`, { status: "PENDING" }), 200);
  });

  it("deleting confirms the deletion, and reads answer 404 afterwards", async ({ full }) => {
    const id = await createBudget(full);
    const deleted = assertStatus(await full.delete(`${BUDGETS}/${id}`), 200);
    assert.deepEqual(deleted.at("data"), { id, status: "DELETED", deletedAt: START });
    assertStatus(await full.get(`${BUDGETS}/${id}`), 404);
    assertStatus(await full.put(`${BUDGETS}/${id}`, {}), 404);
    assertStatus(await full.delete(`${BUDGETS}/${id}`), 404);
    assert.equal((await full.get(BUDGETS)).at("pagination.total"), 0);
    (await full.get(`${BUDGETS}?includeDeleted=true`)).assertData({ "0.status": "DELETED", "0.deletedAt": START });
  });
}
