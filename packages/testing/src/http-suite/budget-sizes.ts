import assert from "node:assert/strict";
import { replaceBudgetCommit } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { aBudgetBody, assertRule, assertStatus, BUDGETS, createBudget } from "./samples.js";

/** Items of 2,000 characters of three bytes each: 6 kB of JSON. */
function largeItems(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, () => ({ description: "太".repeat(2_000), quantity: 1, unitPrice: 1 }));
}

const TOO_LARGE = aBudgetBody({ items: largeItems(22) });

export function budgetSizeCases({ it }: HttpCases): void {
  it("refuses a budget or preview of more than 128 KiB (BUDGET_TOO_LARGE)", async ({ full }) => {
    await createBudget(full, { items: largeItems(21) });
    for (const path of [BUDGETS, `${BUDGETS}/preview`]) {
      const refused = await full.post(path, TOO_LARGE);
      assertRule(refused, "BUDGET_TOO_LARGE", "items");
      assert.equal(refused.at("details.max"), 131_072);
      assert.ok(Number(refused.at("details.bytes")) > 131_072);
    }
    assert.equal((await full.get(BUDGETS)).at("pagination.total"), 1);
  });

  it("refuses an update that makes a budget too large, and keeps the budget (BUDGET_TOO_LARGE)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    const before = await full.get(path);
    assertRule(await full.put(path, { items: largeItems(22) }), "BUDGET_TOO_LARGE");
    assert.equal((await full.get(path)).body, before.body);
  });

  it("reads, lists and moves a budget that is too large, and only lets it shrink (BUDGET_TOO_LARGE)", async (world) => {
    const { full, store, business } = world;
    const id = await createBudget(full, { items: largeItems(21) });
    const stored = await store.findBudget(business.businessId, id);
    assert.ok(stored !== null);
    const notes = "太".repeat(10_000);
    await store.commit(replaceBudgetCommit({ ...stored, notes, version: 2 }, 1));
    const path = `${BUDGETS}/${id}`;
    assert.equal((await full.get(path)).at("data.notes"), notes);
    assert.equal((await full.get(BUDGETS)).at("data.0.notes"), notes);
    assertRule(await full.put(path, { metadata: { a: "longer" } }), "BUDGET_TOO_LARGE");
    assertStatus(await full.put(path, { notes: notes.slice(1) }), 200);
    assertStatus(await full.put(path, { status: "APPROVED" }), 200);
  });
}
