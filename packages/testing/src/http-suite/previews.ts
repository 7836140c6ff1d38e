import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { aBudgetBody, assertInvalid, assertRule, assertStatus, BUDGETS, createBudget } from "./samples.js";

export function previewCases({ it }: HttpCases): void {
  it("a preview has the figures of the creation", async ({ full }) => {
    const body = aBudgetBody({ discountAmount: 10 });
    const preview = assertStatus(await full.post(`${BUDGETS}/preview`, body), 200);
    const created = await full.post(BUDGETS, body);
    for (const figure of ["currency", "subtotal", "discount", "tax", "total", "items.0.total", "items.1.tax"]) {
      assert.equal(preview.at(`data.${figure}`), created.at(`data.${figure}`), figure);
    }
    preview.assertData({ id: undefined, "items.0.id": undefined });
  });

  it("a preview shows each step in digits", async ({ full }) => {
    const preview = await full.post(`${BUDGETS}/preview`, aBudgetBody());
    assert.deepEqual(preview.at("data.trace.0"), {
      step: "line",
      item: 0,
      quantity: "2",
      unitPrice: "150.5",
      exact: "301",
      rounded: "301.00",
      rule: "half-up",
    });
    preview.assertData({ "trace.4.exact": "69.51", "trace.6.shares.0.share": "63.21" });
  });

  it("a preview requires no customer, stores nothing and uses no id", async ({ full }) => {
    const first = Number(await createBudget(full));
    assertStatus(await full.post(`${BUDGETS}/preview`, aBudgetBody({ customerId: undefined })), 200);
    const second = Number(await createBudget(full));
    assert.equal((await full.get(BUDGETS)).at("pagination.total"), 2);
    const third = Number(await createBudget(full));
    assert.equal(third - second, second - first);
  });

  it("a preview refuses what creation refuses", async ({ full }) => {
    assertInvalid(await full.post(`${BUDGETS}/preview`, aBudgetBody({ items: [] })), "items:MIN_LENGTH");
    assertInvalid(await full.post(`${BUDGETS}/preview`), ":REQUIRED");
    assertInvalid(
      await full.post(`${BUDGETS}/preview`, aBudgetBody({ discountAmount: 0.001 })),
      "discountAmount:INVALID_FORMAT",
    );
    assertRule(await full.post(`${BUDGETS}/preview`, aBudgetBody({ total: 1 })), "TOTALS_MISMATCH");
  });
}
