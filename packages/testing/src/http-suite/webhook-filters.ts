import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { assertStatus, createBudget } from "./samples.js";
import { CALLS_URL, sendingCases, WEBHOOKS } from "./webhook-samples.js";

export function webhookFilterCases({ describe, it }: HttpCases): void {
  const itSending = sendingCases({ it });

  describe("the filter of a webhook endpoint", () => {
    itSending(
      "an endpoint accepts patterns and a filter, receives what they select, and clears the filter with null",
      async (world, receiver) => {
        const { owner, full, service } = world;
        const filter = { status: ["DRAFT"], minimumTotal: { amount: 0, currency: "USD" } };
        const created = await owner.post(WEBHOOKS, { url: CALLS_URL, events: ["budget.*"], filter });
        assertStatus(created, 201);
        assert.deepEqual(created.at("events"), ["budget.*"]);
        assert.deepEqual(created.at("filter"), filter);
        const path = `${WEBHOOKS}/${created.text("id")}`;
        const id = await createBudget(full, { draft: true });
        assertStatus(await full.post(`/api/public/budgets/${id}/submit`), 200);
        await service.webhooks.tick();
        assert.equal((await owner.get(`${path}/deliveries`)).at("pagination.total"), 1);
        assert.equal(receiver.sent.length, 1);
        const cleared = await owner.put(path, { filter: null });
        assertStatus(cleared, 200);
        assert.equal("filter" in JSON.parse(cleared.body), false);
        assertStatus(await full.post(`/api/public/budgets/${id}/withdraw`), 200);
        await service.webhooks.tick();
        assert.equal(receiver.sent.length, 2);
      },
    );

    it("testing a filter shows which of the last events match, and why others do not", async ({ owner, full }) => {
      const id = await createBudget(full, { draft: true });
      assertStatus(await full.post(`/api/public/budgets/${id}/submit`), 200);
      const tested = await owner.post(`${WEBHOOKS}/test-filter`, { filter: { status: ["DRAFT"] } });
      assertStatus(tested, 200);
      assert.equal(tested.at("data.tested"), 2);
      assert.equal(tested.at("data.matched"), 1);
      assert.deepEqual(tested.at("data.events.0.reasons"), [
        { condition: "status", message: "The status is PENDING." },
      ]);
      assert.deepEqual(tested.at("data.events.1.reasons"), []);
      assert.equal((await owner.get(WEBHOOKS)).at("pagination.total"), 0);
    });

    it("refuses a useless filter (FILTER_NEVER_MATCHES), and a misspelt one (400)", async ({ owner }) => {
      const settings = { url: CALLS_URL, events: ["customer.*"], filter: { status: ["DRAFT"] } };
      const useless = await owner.post(WEBHOOKS, settings);
      assertStatus(useless, 422);
      assert.equal(useless.at("error.rule"), "FILTER_NEVER_MATCHES");
      const misspelt = await owner.post(WEBHOOKS, { url: CALLS_URL, filter: { currencies: ["USD"] } });
      assertStatus(misspelt, 400);
      assert.equal(misspelt.at("error.details.0.field"), "filter");
      assert.equal((await owner.get(WEBHOOKS)).at("pagination.total"), 0);
    });
  });
}
