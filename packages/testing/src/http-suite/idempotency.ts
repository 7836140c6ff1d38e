import assert from "node:assert/strict";
import { DAY_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import {
  aBudgetBody,
  aPublicBody,
  assertInvalid,
  assertReplay,
  assertRule,
  assertStatus,
  BUDGETS,
  createBudget,
} from "./samples.js";

const KEY = { "idempotency-key": "order-4711" };

export function idempotencyCases({ it }: HttpCases): void {
  it("repeats the answer for an Idempotency-Key, with one effect", async ({ full }) => {
    const first = await full.post(BUDGETS, aBudgetBody(), KEY);
    const again = await full.post(BUDGETS, aBudgetBody(), KEY);
    assertStatus(first, 201);
    assertReplay(first, again);
    assert.equal((await full.get(BUDGETS)).at("pagination.total"), 1);
  });

  it("repeats the answer for an Idempotency-Key after the budget has changed", async ({ full }) => {
    const first = await full.post(BUDGETS, aBudgetBody(), KEY);
    await full.delete(`${BUDGETS}/${first.text("data.id")}`);
    assertReplay(first, await full.post(BUDGETS, aBudgetBody(), KEY));
  });

  it("treats the aliases of a path as one under an Idempotency-Key", async ({ full }) => {
    const first = await full.post("/api/budgets/public", aPublicBody(), KEY);
    const again = await full.post("/v1/budgets/public", aPublicBody(), KEY);
    assert.equal(again.body, first.body);
    assert.equal(again.headers["idempotent-replayed"], "true");
  });

  it("repeats the answer of an action on a budget for an Idempotency-Key", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    const first = assertStatus(await full.post(`${path}/withdraw`, undefined, KEY), 200);
    assertReplay(first, await full.post(`${path}/withdraw`, undefined, KEY));
    const copied = await full.post(`${path}/duplicate`, undefined, { "idempotency-key": "copy" });
    assertReplay(copied, await full.post(`${path}/duplicate`, undefined, { "idempotency-key": "copy" }));
  });

  it("repeats a new API key for a request with the same Idempotency-Key", async ({ owner }) => {
    const body = { name: "Shop", scopes: ["READ_BUDGETS"] };
    const first = assertStatus(await owner.post("/api-keys", body, KEY), 201);
    const again = await owner.post("/api/developer/api-keys", body, KEY);
    assert.equal(again.body, first.body);
    assert.equal(again.headers["idempotent-replayed"], "true");
  });

  it("refuses another request under the same Idempotency-Key (IDEMPOTENCY_KEY_REUSED)", async ({ full }) => {
    await full.post(BUDGETS, aBudgetBody(), KEY);
    assertRule(await full.post(BUDGETS, aBudgetBody({ notes: "other" }), KEY), "IDEMPOTENCY_KEY_REUSED");
    assertRule(await full.post(`${BUDGETS}?a=1`, aBudgetBody(), KEY), "IDEMPOTENCY_KEY_REUSED");
    assertRule(await full.post("/budgets/public", aPublicBody(), KEY), "IDEMPOTENCY_KEY_REUSED");
  });

  it("an Idempotency-Key belongs to its credential", async ({ full, writer, stranger }) => {
    const ids = [full, writer, stranger].map(async (client) => {
      const reply = assertStatus(await client.post(BUDGETS, aBudgetBody(), KEY), 201);
      return reply.text("data.id");
    });
    assert.equal(new Set(await Promise.all(ids)).size, 3);
  });

  it("an Idempotency-Key is free again after a request without effect", async ({ full }) => {
    assertInvalid(await full.post(BUDGETS, { items: [] }, KEY), "customerId:REQUIRED", "items:MIN_LENGTH");
    assertRule(await full.post(BUDGETS, aBudgetBody({ validUntil: "2026-01-01" }), KEY), "VALIDITY_IN_THE_PAST");
    const created = assertStatus(await full.post(BUDGETS, aBudgetBody(), KEY), 201);
    assert.equal(created.headers["idempotent-replayed"], undefined);
  });

  it("concurrent requests with one Idempotency-Key have one effect (CONFLICT)", async ({ full }) => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => full.post(BUDGETS, aBudgetBody(), KEY)));
    const created = replies.filter(({ status }) => status === 201);
    assert.ok(created.length >= 1);
    assert.equal(new Set(created.map(({ body }) => body)).size, 1);
    assert.equal(created.filter(({ headers }) => headers["idempotent-replayed"] === undefined).length, 1);
    for (const { status } of replies) assert.ok(status === 201 || status === 409);
    assert.equal((await full.get(BUDGETS)).at("pagination.total"), 1);
  });

  it("forgets an Idempotency-Key after a day", async ({ full, clock }) => {
    const first = await full.post(BUDGETS, aBudgetBody(), KEY);
    clock.advance(DAY_MS - 1);
    assertReplay(first, await full.post(BUDGETS, aBudgetBody(), KEY));
    clock.advance(1);
    assert.notEqual((await full.post(BUDGETS, aBudgetBody(), KEY)).at("data.id"), first.at("data.id"));
  });

  for (const key of ["", "has space", "x".repeat(256), "ñ", "tab\tin"]) {
    it(`refuses the Idempotency-Key ${JSON.stringify(key.slice(0, 12))}`, async ({ full }) => {
      const reply = await full.post(BUDGETS, aBudgetBody(), { "idempotency-key": key });
      assertInvalid(reply, "Idempotency-Key:INVALID_FORMAT");
    });
  }

  it("ignores an Idempotency-Key where it is not supported", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    assertStatus(await full.put(path, { notes: "a" }, KEY), 200);
    assert.equal((await full.put(path, { notes: "b" }, KEY)).at("data.notes"), "b");
  });

  it("checks credential and body before the Idempotency-Key", async ({ full, reader }) => {
    await full.post(BUDGETS, aBudgetBody(), KEY);
    assertStatus(await reader.post(BUDGETS, aBudgetBody(), KEY), 403);
    assertStatus(await full.post(BUDGETS, "{", KEY), 400);
  });
}
