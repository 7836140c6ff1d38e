import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { assertRule, assertStatus, createBudget } from "./samples.js";
import { endpointAt, sendingCases } from "./webhook-samples.js";

export function webhookReplayCases(cases: HttpCases): void {
  const it = sendingCases(cases);

  it("a replay sends the events from before the endpoint, marked, with the budgets, and shows its progress", async (world) => {
    const { owner, full, service, receiver } = world;
    const id = await createBudget(full, { draft: true });
    assertStatus(await full.post(`/api/public/budgets/${id}/submit`), 200);
    await service.webhooks.tick();
    const path = `${await endpointAt(owner, { events: ["budget.*"] })}/replay`;
    assertStatus(await owner.get(path), 404);
    const started = assertStatus(await owner.post(path, { fromSequence: 1 }), 201);
    assert.ok(started.headers.location?.endsWith(path));
    assert.equal(started.at("data.status"), "running");
    assertStatus(await owner.post(path, { fromSequence: 1 }), 409);
    await service.webhooks.tick();
    const ended = await owner.get(path);
    assert.deepEqual([ended.at("data.status"), ended.at("data.sent")], ["finished", 2]);
    const sent = receiver.sent.map(({ body }) => JSON.parse(body));
    const { availableActions: _, ...budget } = JSON.parse((await full.get(`/api/public/budgets/${id}`)).body).data;
    assert.deepEqual(
      sent.map(({ event, data, metadata }) => [event, metadata.replay, data.budget]),
      [
        ["budget.created", true, budget],
        ["budget.updated", true, budget],
      ],
    );
  });

  it("cancels and restarts a replay (REPLAY_NOT_RUNNING)", async ({ owner, full, service, receiver }) => {
    await createBudget(full);
    const path = `${await endpointAt(owner)}/replay`;
    assertStatus(await owner.post(path, { since: "2020-01-01" }), 201);
    assert.equal(assertStatus(await owner.delete(path), 200).at("data.status"), "cancelled");
    assertRule(await owner.delete(path), "REPLAY_NOT_RUNNING");
    await service.webhooks.tick();
    assert.equal(receiver.sent.length, 0);
    assertStatus(await owner.post(path, { since: "2020-01-01" }), 201);
    await service.webhooks.tick();
    assert.equal(receiver.sent.length, 1);
  });

  it("a replay needs a beginning with matching events (NOTHING_TO_REPLAY)", async ({ owner, full }) => {
    await createBudget(full);
    const path = `${await endpointAt(owner, { events: ["budget.*"] })}/replay`;
    for (const body of [{}, { since: "2020-01-01", fromSequence: 1 }, { fromSequence: 0 }, { since: "soon" }]) {
      assertStatus(await owner.post(path, body), 400);
    }
    const empty = [
      { fromSequence: 1_000 },
      { since: "2199-01-01" },
      { fromSequence: 1, until: "2001-01-01" },
      { fromSequence: 1, events: ["customer.*"] },
    ];
    for (const body of empty) {
      assertRule(await owner.post(path, body), "NOTHING_TO_REPLAY");
    }
  });

  it("refuses a replay to a disabled or unknown endpoint (WEBHOOK_DISABLED)", async ({ owner, full }) => {
    await createBudget(full);
    const disabled = await endpointAt(owner, { status: "DISABLED" });
    assertRule(await owner.post(`${disabled}/replay`, { fromSequence: 1 }), "WEBHOOK_DISABLED");
    for (const path of ["/api/developer/webhooks/1/replay", "/api/developer/webhooks/x/replay"]) {
      assertStatus(await owner.post(path, { fromSequence: 1 }), 404);
      assertStatus(await owner.get(path), 404);
      assertStatus(await owner.delete(path), 404);
    }
  });
}
