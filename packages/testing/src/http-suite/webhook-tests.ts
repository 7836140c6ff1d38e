import assert from "node:assert/strict";
import { MINUTE_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { assertInvalid, assertRule, assertStatus } from "./samples.js";
import { CALLS_URL, endpointAt, sendingCases, TEST } from "./webhook-samples.js";

export function webhookTestCases(cases: HttpCases): void {
  const it = sendingCases(cases);

  it("a webhook test calls the webhookUrl once and returns the outcome", async ({ withKey, receiver }) => {
    const key = await withKey({ scopes: ["WEBHOOKS"], webhookUrl: CALLS_URL });
    const data = { id: "5", status: "APPROVED" };
    const tested = assertStatus(await key.post(TEST, { event: "budget.approved", data }), 200);
    tested.assertData({ status: "delivered", response_code: 204, response_time: 7 });
    assert.equal(typeof tested.at("data.delivered_at"), "string");
    const [call] = receiver.sent;
    assert.equal(call?.url, CALLS_URL);
    assert.equal(call?.headers["webhook-id"], tested.at("data.delivery_id"));
    const sent = JSON.parse(call?.body ?? "");
    assert.equal(sent.event, "budget.approved");
    assert.deepEqual(sent.data, data);
    assert.equal(sent.metadata.event_id, null);
    receiver.status = 500;
    const failed = assertStatus(await key.post(TEST, { event: "budget.approved", data }), 200);
    failed.assertData({ status: "failed", response_code: 500 });
  });

  it("refuses a test without webhookUrl, scope or body (NO_WEBHOOK_URL)", async ({ receiver, ...world }) => {
    const body = { event: "budget.created", data: {} };
    assertRule(await (await world.withKey({ scopes: ["WEBHOOKS"] })).post(TEST, body), "NO_WEBHOOK_URL");
    assertStatus(await world.full.post(TEST, body), 403);
    assertStatus(await world.owner.post(TEST, body), 401);
    const key = await world.withKey({ scopes: ["WEBHOOKS"], webhookUrl: CALLS_URL });
    assertInvalid(await key.post(TEST, {}), "event:REQUIRED", "data:REQUIRED");
    assertStatus(await key.post(TEST, { event: "budget.exploded", data: {} }), 400);
    assertStatus(await key.post(TEST, { event: "budget.created", data: { a: "x".repeat(70_000) } }), 400);
    assert.equal(receiver.sent.length, 0);
  });

  it("refuses the 11th webhook test of a minute, for keys and endpoints", async (world) => {
    const { withKey, owner, clock, receiver } = world;
    const key = await withKey({ scopes: ["WEBHOOKS"], webhookUrl: CALLS_URL });
    const path = await endpointAt(owner);
    const tests = [
      () => key.post(TEST, { event: "budget.created", data: {} }),
      () => owner.post(`${path}/test`, { event: "budget.created", data: {} }),
    ];
    for (const test of tests) {
      for (let count = 1; count <= 10; count += 1) assertStatus(await test(), 200);
      assert.equal(assertStatus(await test(), 429).headers["retry-after"], "60");
    }
    assert.equal(receiver.sent.length, 20);
    clock.advance(MINUTE_MS);
    for (const test of tests) assertStatus(await test(), 200);
  });

  it("a webhook test of an endpoint, even a disabled one, needs no body", async ({ owner, receiver }) => {
    const path = await endpointAt(owner, { status: "DISABLED" });
    const tested = assertStatus(await owner.post(`${path}/test`), 200);
    assert.equal(receiver.sent.length, 1);
    (await owner.get(`${path}/deliveries`)).assertData({ "0.id": tested.at("data.delivery_id"), "0.eventId": null });
  });

  it("counts a retry among the ten webhook tests of a minute (429)", async ({ owner, service, receiver }) => {
    const path = await endpointAt(owner);
    const id = (await owner.post(`${path}/test`)).text("data.delivery_id");
    for (let count = 2; count <= 10; count += 1) {
      assertStatus(await owner.post(`${path}/deliveries/${id}/retry`), 200);
      await service.webhooks.tick();
    }
    assert.equal(receiver.sent.length, 10);
    assert.equal(assertStatus(await owner.post(`${path}/deliveries/${id}/retry`), 429).headers["retry-after"], "60");
    assertStatus(await owner.post(`${path}/test`), 429);
  });
}
