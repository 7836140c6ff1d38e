import assert from "node:assert/strict";
import type { SendOutcome } from "@budgetkit/core";
import { HOUR_MS, MINUTE_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { approve, assertStatus, BUDGETS, createBudget } from "./samples.js";

const DASHBOARD = "/api/developer/dashboard/stats";

export function dashboardCases({ it }: HttpCases): void {
  it("the dashboard sums the requests of all keys of the business", async ({ owner, full, reader, stranger }) => {
    await full.get(BUDGETS);
    await reader.get(BUDGETS);
    await reader.delete(`${BUDGETS}/1`);
    await stranger.get(BUDGETS);
    const shown = assertStatus(await owner.get(`${DASHBOARD}?period=24h`), 200);
    shown.assertAt({ period: "24h", requests: { total: 3, successful: 2, errors: 1, averageResponseTime: 0 } });
    assert.deepEqual(shown.at("topEndpoints.0"), { endpoint: BUDGETS, method: "GET", count: 2 });
    assert.deepEqual(shown.at("dailyUsage"), [
      { date: "2026-03-01", requests: 0, errors: 0, averageResponseTime: 0 },
      { date: "2026-03-02", requests: 3, errors: 1, averageResponseTime: 0 },
    ]);
  });

  it("counts keys by status, and those expiring within a week", async ({ owner, withKey, service, business }) => {
    await withKey({ expiresAt: "2026-03-09T12:00:00Z" });
    await withKey({ expiresAt: "2026-03-09T12:00:01Z" });
    const { id } = await withKey({ expiresAt: "2026-03-03" });
    await service.keys.update(business, id, { status: "SUSPENDED" });
    const { apiKeys } = JSON.parse((await owner.get(DASHBOARD)).body);
    assert.deepEqual(apiKeys, { byStatus: { ACTIVE: 3, SUSPENDED: 1, REVOKED: 0 }, expiringSoon: 1 });
  });

  it("the dashboard counts budgets by status and sums their value exactly", async ({ owner, full, clock }) => {
    const of = (unitPrice: number, currency = "USD") => ({
      items: [{ description: "Table", quantity: 1, unitPrice }],
      taxRate: 0,
      currency,
    });
    for (const price of [0.1, 0.2]) await approve(full, await createBudget(full, of(price)));
    await createBudget(full, { ...of(70_368_744_177_663.21), validUntil: "2026-03-02T12:00:01Z" });
    await createBudget(full, of(1_000, "JPY"));
    const gone = await createBudget(full, of(5));
    await full.delete(`${BUDGETS}/${gone}`);
    clock.advance(1_000);
    const { budgets } = JSON.parse((await owner.get(DASHBOARD)).body);
    assert.deepEqual(budgets.byStatus, {
      PENDING: 1,
      APPROVED: 2,
      REJECTED: 0,
      EXPIRED: 1,
      DRAFT: 0,
      COMPLETED: 0,
      ARCHIVED: 0,
      DELETED: 1,
    });
    assert.deepEqual(budgets.valueByCurrency, { JPY: 1_000, USD: 70_368_744_177_663.51 });
    assert.equal(budgets.conversionRate, 0.6667);
  });

  it("the dashboard sums beyond the largest amount, to the nearest number of a double", async ({ owner, full }) => {
    const items = [{ description: "Table", quantity: 1, unitPrice: 70_368_744_177_663.99 }];
    for (let count = 0; count < 3; count += 1) await createBudget(full, { items, taxRate: 0 });
    const { budgets } = JSON.parse((await owner.get(DASHBOARD)).body);
    assert.equal(budgets.valueByCurrency.USD, 211_106_232_532_991.97);
  });

  it(
    "the dashboard counts the webhook deliveries of the period",
    async ({ owner, service, business, full, clock }) => {
      const empty = { delivered: 0, failed: 0, pending: 0, successRate: null };
      assert.deepEqual((await owner.get(DASHBOARD)).at("webhooks"), empty);
      for (const [answer, ...delays] of ["204", "204", "500", "503 60"].map((text) => text.split(" "))) {
        const retryPolicy = { delaysSeconds: [0, ...delays.map(Number)] };
        const settings = { url: `https://hooks.example/${answer}`, events: ["budget.created" as const], retryPolicy };
        (await service.webhooks.create(business, settings))._unsafeUnwrap();
      }
      await createBudget(full);
      await service.webhooks.tick();
      const counts = async () => (await owner.get(`${DASHBOARD}?period=1h`)).at("webhooks");
      assert.deepEqual(await counts(), { delivered: 2, failed: 1, pending: 1, successRate: 0.6667 });
      clock.advance(HOUR_MS - 1);
      assert.equal((await owner.get(`${DASHBOARD}?period=1h`)).at("webhooks.delivered"), 2);
      clock.advance(MINUTE_MS + 1);
      const later = await service.usage.dashboard(business, { period: "1h" });
      assert.deepEqual(later._unsafeUnwrap().webhooks, empty);
    },
    { service: { webhooks: { sender: { send: async ({ url }) => answeredBy(url) } } } },
  );
}

/** What a receiver answers: the last segment of its path. */
function answeredBy(url: string): SendOutcome {
  const responseCode = Number(url.slice(-3));
  return { kind: "answered", responseCode, responseBody: "", retryAfterSeconds: null, durationMs: 5 };
}
