import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { aBudgetBody, aPublicBody, assertReplay, assertRule, assertStatus, BUDGETS } from "./samples.js";

const BUSINESS = "/api/developer/business";
const KEY = { "idempotency-key": "order-4711" };

export function budgetNumberCases({ it }: HttpCases): void {
  it("budget numbers follow the pattern, in answers, lists, searches and on the link", async ({ owner, full }) => {
    assert.equal((await full.post(BUDGETS, aBudgetBody())).at("data.number"), undefined);
    assertStatus(await owner.put(BUSINESS, { numberPattern: "Nº {year}/{seq:4}" }), 200);
    assert.equal((await full.post(BUDGETS, aBudgetBody())).at("data.number"), "Nº 2026/0001");
    const made = await full.post("/api/budgets/public", aPublicBody());
    const list = await full.get(`${BUDGETS}?search=${encodeURIComponent("nº 2026/000")}`);
    assert.deepEqual([list.at("data.0.number"), list.at("data.1.number")], ["Nº 2026/0002", "Nº 2026/0001"]);
    assert.equal(list.at("data.0.id"), String(made.at("budgetId")));
    const shown = await full.get(`/p/${made.text("publicToken")}`, { accept: "application/json" });
    assert.equal(shown.at("data.number"), "Nº 2026/0002");
  });

  it("repeats the budget number for an Idempotency-Key, and draws it once", async ({ owner, full }) => {
    await owner.put(BUSINESS, { numberPattern: "Q-{seq}" });
    const first = await full.post(BUDGETS, aBudgetBody(), KEY);
    assert.equal(first.at("data.number"), "Q-1");
    const again = await full.post(BUDGETS, aBudgetBody(), KEY);
    assertReplay(first, again);
    const draft = await full.post(BUDGETS, aBudgetBody({ draft: true }));
    const path = `${BUDGETS}/${draft.text("data.id")}/submit`;
    const sent = await full.post(path, undefined, { "idempotency-key": "send" });
    assert.equal(sent.at("data.number"), "Q-2");
    assert.equal((await full.post(path, undefined, { "idempotency-key": "send" })).body, sent.body);
  });

  it("refuses a wrong number pattern with its field (INVALID_NUMBER_PATTERN)", async ({ owner }) => {
    for (const numberPattern of ["", "Q-{year}", "{seq}{seq}", "{day}{seq}", '"{seq}', `${"x".repeat(36)}{seq}`]) {
      const refused = await owner.put(BUSINESS, { numberPattern });
      assertRule(refused, "INVALID_NUMBER_PATTERN");
      assert.match(refused.body, /numberPattern/);
    }
    assert.equal((await owner.get(BUSINESS)).at("version"), 1);
  });

  it("a budget keeps the business's terms of its sending, also after these change", async ({ owner, full }) => {
    await owner.put(BUSINESS, { terms: "30 days" });
    const { id } = JSON.parse((await full.post(BUDGETS, aBudgetBody())).body).data;
    await owner.put(BUSINESS, { terms: "60 days" });
    assert.equal((await full.get(`${BUDGETS}/${id}`)).at("data.terms"), "30 days");
    const changed = await full.put(`${BUDGETS}/${id}`, { terms: "Half in advance" });
    assert.deepEqual([changed.at("data.terms"), changed.at("data.revision")], ["Half in advance", 2]);
    assert.equal((await full.put(`${BUDGETS}/${id}`, { terms: null })).at("data.terms"), "60 days");
  });
}
