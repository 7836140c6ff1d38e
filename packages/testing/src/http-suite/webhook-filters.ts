import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { assertRule, assertStatus, assertWrong, createBudget } from "./samples.js";
import { CALLS_URL, sendingCases, WEBHOOKS } from "./webhook-samples.js";

export function webhookFilterCases(cases: HttpCases): void {
  const it = sendingCases(cases);

  it("an endpoint accepts patterns and a filter, receives what they select, and clears the filter with null", async (world) => {
    const { owner, full, service, receiver } = world;
    const filter = { status: ["DRAFT"], minimumTotal: { amount: 0, currency: "USD" } };
    const created = assertStatus(await owner.post(WEBHOOKS, { url: CALLS_URL, events: ["budget.*"], filter }), 201);
    created.assertAt({ events: ["budget.*"], filter });
    const path = `${WEBHOOKS}/${created.text("id")}`;
    const id = await createBudget(full, { draft: true });
    assertStatus(await full.post(`/api/public/budgets/${id}/submit`), 200);
    await service.webhooks.tick();
    assert.equal((await owner.get(`${path}/deliveries`)).at("pagination.total"), 1);
    assert.equal(receiver.sent.length, 1);
    const cleared = assertStatus(await owner.put(path, { filter: null }), 200);
    assert.equal("filter" in JSON.parse(cleared.body), false);
    assertStatus(await full.post(`/api/public/budgets/${id}/withdraw`), 200);
    await service.webhooks.tick();
    assert.equal(receiver.sent.length, 2);
  });

  it("testing a filter shows which of the last events match, and why others do not", async ({ owner, full }) => {
    const id = await createBudget(full, { draft: true });
    assertStatus(await full.post(`/api/public/budgets/${id}/submit`), 200);
    const tested = assertStatus(await owner.post(`${WEBHOOKS}/test-filter`, { filter: { status: ["DRAFT"] } }), 200);
    tested.assertData({ tested: 2, matched: 1 });
    assert.deepEqual(tested.at("data.events.0.reasons"), [{ condition: "status", message: "The status is PENDING." }]);
    assert.deepEqual(tested.at("data.events.1.reasons"), []);
    assert.equal((await owner.get(WEBHOOKS)).at("pagination.total"), 0);
  });

  it("refuses a useless filter (FILTER_NEVER_MATCHES), and a misspelt one (400)", async ({ owner }) => {
    const settings = { url: CALLS_URL, events: ["customer.*"], filter: { status: ["DRAFT"] } };
    assertRule(await owner.post(WEBHOOKS, settings), "FILTER_NEVER_MATCHES");
    assertWrong(await owner.post(WEBHOOKS, { url: CALLS_URL, filter: { currencies: ["USD"] } }), "filter");
    assert.equal((await owner.get(WEBHOOKS)).at("pagination.total"), 0);
  });
}
