import assert from "node:assert/strict";
import { MINUTE_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { assertRule, assertStatus, createBudget } from "./samples.js";
import { CALLS_URL, endpointAt, KEY_PATHS, sendingCases } from "./webhook-samples.js";
import { START } from "./world.js";

export function webhookDeliveryCases(cases: HttpCases): void {
  const it = sendingCases(cases);

  it("lists deliveries with their attempts, by status, event and page", async (world) => {
    const { owner, full, service, receiver } = world;
    const path = await endpointAt(owner);
    const id = await createBudget(full);
    await service.webhooks.tick();
    receiver.status = 503;
    await full.delete(`/api/public/budgets/${id}`);
    await service.webhooks.tick();
    const list = assertStatus(await owner.get(`${path}/deliveries`), 200);
    list.assertAt({ "pagination.total": 2, "data.0.event": "budget.deleted", "data.0.status": "retrying" });
    list.assertAt({ "data.0.responseCode": 503, "data.1.status": "delivered", "data.1.nextAttemptAt": null });
    assert.deepEqual(list.at("data.1.payload"), JSON.parse(receiver.sent[0]?.body ?? ""));
    assert.deepEqual(list.at("data.1.attempts"), [
      { number: 1, startedAt: START, durationMs: 7, responseCode: 204, responseBody: "", error: null },
    ]);
    const totals = async (query: string) => (await owner.get(`${path}/deliveries?${query}`)).at("pagination.total");
    assert.equal(await totals("status=retrying"), 1);
    assert.equal(await totals("status=failed"), 0);
    assert.equal(await totals("event=budget.created&status=delivered"), 1);
    assert.equal((await owner.get(`${path}/deliveries?limit=1&page=2`)).at("data.0.event"), "budget.created");
    for (const query of ["status=lost", "event=budget.exploded", "limit=101"]) {
      assertStatus(await owner.get(`${path}/deliveries?${query}`), 400);
    }
  });

  it("redelivers on request, with the same id and bytes", async ({ owner, full, service, receiver }) => {
    receiver.status = 503;
    const path = await endpointAt(owner, { retryPolicy: { delaysSeconds: [0] } });
    await createBudget(full);
    await service.webhooks.tick();
    const id = (await owner.get(`${path}/deliveries?status=failed`)).text("data.0.id");
    assert.equal(assertStatus(await owner.post(`${path}/deliveries/${id}/retry`), 200).at("data.status"), "pending");
    assertRule(await owner.post(`${path}/deliveries/${id}/retry`), "DELIVERY_NOT_FINISHED");
    receiver.status = 200;
    await service.webhooks.tick();
    (await owner.get(`${path}/deliveries`)).assertData({ "0.status": "delivered", "0.attemptCount": 2 });
    assert.equal(receiver.sent[1]?.body, receiver.sent[0]?.body);
    assert.equal(receiver.sent[1]?.headers["webhook-id"], id);
    assertStatus(await owner.post(`${path}/deliveries/999999/retry`), 404);
    assertStatus(await owner.post(`${await endpointAt(owner)}/deliveries/${id}/retry`), 404);
    await owner.put(path, { status: "DISABLED" });
    assertRule(await owner.post(`${path}/deliveries/${id}/retry`), "WEBHOOK_DISABLED");
  });

  it("redelivers all deliveries that failed since a given time", async ({ owner, full, service, clock, receiver }) => {
    receiver.status = 503;
    const path = await endpointAt(owner, { retryPolicy: { delaysSeconds: [0] } });
    for (let count = 0; count < 3; count += 1) {
      await createBudget(full);
      await service.webhooks.tick();
      clock.advance(1_000);
    }
    const recovered = assertStatus(await owner.post(`${path}/recover`, { since: "2026-03-02T12:00:01Z" }), 200);
    assert.deepEqual(recovered.at("data"), { restarted: 2 });
    const tooSoon = assertStatus(await owner.post(`${path}/recover`, { since: START }), 429);
    assert.equal(tooSoon.headers["retry-after"], "60");
    clock.advance(MINUTE_MS);
    assert.equal((await owner.post(`${path}/recover`, { since: START })).at("data.restarted"), 1);
    receiver.status = 204;
    await service.webhooks.tick();
    assert.equal((await owner.get(`${path}/deliveries?status=delivered`)).at("pagination.total"), 3);
    assertStatus(await owner.post(`${path}/recover`, {}), 400);
    assertStatus(await owner.post(`${path}/recover`, { since: "yesterday" }), 400);
  });

  it("redelivers the cancelled deliveries of an endpoint that is ACTIVE again, together with those that failed", async (world) => {
    const { owner, full, service, receiver } = world;
    receiver.status = 410;
    const path = await endpointAt(owner);
    await createBudget(full);
    await service.webhooks.tick();
    receiver.status = 503;
    await owner.put(path, { status: "ACTIVE" });
    await createBudget(full);
    await service.webhooks.tick();
    await owner.put(path, { status: "DISABLED" });
    assert.equal((await owner.get(`${path}/deliveries?status=cancelled`)).at("pagination.total"), 1);
    await owner.put(path, { status: "ACTIVE" });
    receiver.status = 204;
    assert.equal((await owner.post(`${path}/recover`, { since: START })).at("data.restarted"), 2);
    await service.webhooks.tick();
    assert.equal((await owner.get(`${path}/deliveries?status=delivered`)).at("pagination.total"), 2);
  });

  for (const keys of KEY_PATHS) {
    it(`manages deliveries of a key alike below ${keys} (NO_WEBHOOK_URL)`, async (world) => {
      const { owner, member, full, service, receiver } = world;
      const made = await owner.post(keys, { name: "Shop", scopes: ["READ_BUDGETS"], webhookUrl: CALLS_URL });
      const path = `${keys}/${made.text("id")}`;
      await createBudget(full);
      await service.webhooks.tick();
      const id = (await member.get(`${path}/deliveries?status=delivered`)).text("data.0.id");
      assertStatus(await member.post(`${path}/deliveries/${id}/retry`), 403);
      assertStatus(await owner.post(`${path}/deliveries/${id}/retry`), 200);
      await service.webhooks.tick();
      assert.equal(receiver.sent[1]?.body, receiver.sent[0]?.body);
      assert.deepEqual((await owner.post(`${path}/recover`, { since: START })).at("data"), { restarted: 0 });
      await owner.put(path, { webhookUrl: null });
      assertRule(await owner.post(`${path}/recover`, { since: START }), "NO_WEBHOOK_URL");
    });
  }
}
