import assert from "node:assert/strict";
import { verifyWebhook } from "@budgetkit/core";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { assertStatus, createBudget } from "./samples.js";
import { CALLS_URL, endpointAt, KEY_PATHS, logInAgain, sendingCases, WEBHOOKS } from "./webhook-samples.js";

export function webhookSecretCases(cases: HttpCases): void {
  const it = sendingCases(cases);

  it("reads an endpoint's secret; a replaced one signs too for a day", async (world) => {
    const { owner, clock, receiver } = world;
    const created = await owner.post(WEBHOOKS, { url: CALLS_URL });
    const path = `${WEBHOOKS}/${created.text("id")}`;
    const read = assertStatus(await owner.get(`${path}/secret`), 200);
    assert.deepEqual(JSON.parse(read.body), { secret: created.at("secret") });
    const rotated = assertStatus(await owner.post(`${path}/secret/rotate`), 200);
    assert.notEqual(rotated.at("secret"), created.at("secret"));
    assert.equal(rotated.at("previousSecretUntil"), "2026-03-03T12:00:00.000Z");
    assert.equal((await owner.get(`${path}/secret`)).at("secret"), rotated.at("secret"));
    for (const [advanceMs, signatures] of [
      [HOUR_MS / 2, 2],
      [DAY_MS, 1],
    ] as const) {
      clock.advance(advanceMs);
      const again = await logInAgain(world);
      assertStatus(await again.post(`${path}/test`), 200);
      assert.equal(receiver.sent.at(-1)?.headers["webhook-signature"]?.split(" ").length, signatures);
    }
  });

  it("rotates the secret of an endpoint to a given one", async ({ owner }) => {
    const path = await endpointAt(owner);
    const secret = "a secret of one's own";
    assert.equal(assertStatus(await owner.post(`${path}/secret/rotate`, { secret }), 200).at("secret"), secret);
    assertStatus(await owner.post(`${path}/secret/rotate`, { secret: "short" }), 400);
  });

  for (const keys of KEY_PATHS) {
    it(`sets a key's webhook secret by update below ${keys}; the old signs too`, async (world) => {
      const { owner, full, service, clock, receiver } = world;
      const made = await owner.post(keys, { name: "Shop", scopes: ["WEBHOOKS"], webhookUrl: CALLS_URL });
      const path = `${keys}/${made.text("id")}`;
      assertStatus(await owner.put(path, { webhookSecret: "short" }), 400);
      const webhookSecret = "a secret of one's own";
      for (let time = 0; time < 2; time += 1) assertStatus(await owner.put(path, { webhookSecret }), 200);
      assert.equal((await owner.get(`${path}/webhook-secret`)).at("webhookSecret"), webhookSecret);
      await createBudget(full);
      await service.webhooks.tick();
      const { headers, body } = receiver.sent.at(-1) ?? { headers: {}, body: "" };
      for (const secret of [made.text("webhookSecret"), webhookSecret]) {
        assert.ok(verifyWebhook(headers, body, secret, { now: clock.now() }).ok);
      }
    });

    it(`rotates a key's webhook secret below ${keys}; the old signs for a day`, async (world) => {
      const { owner, member, full, service, clock, receiver } = world;
      const made = await owner.post(keys, { name: "Shop", scopes: ["READ_BUDGETS"], webhookUrl: CALLS_URL });
      const path = `${keys}/${made.text("id")}/webhook-secret`;
      assertStatus(await member.post(`${path}/rotate`), 403);
      const rotated = assertStatus(await owner.post(`${path}/rotate`), 200);
      assert.equal(rotated.at("previousSecretUntil"), "2026-03-03T12:00:00.000Z");
      assert.deepEqual(JSON.parse((await owner.get(path)).body), { webhookSecret: rotated.at("webhookSecret") });
      const secrets = [made.text("webhookSecret"), rotated.text("webhookSecret")];
      assert.notEqual(secrets[0], secrets[1]);
      for (const [advanceMs, verified] of [
        [DAY_MS - MINUTE_MS, [true, true]],
        [MINUTE_MS, [false, true]],
      ] as const) {
        clock.advance(advanceMs);
        await createBudget(full);
        await service.webhooks.tick();
        const { headers, body } = receiver.sent.at(-1) ?? { headers: {}, body: "" };
        const verdicts = secrets.map((secret) => verifyWebhook(headers, body, secret, { now: clock.now() }).ok);
        assert.deepEqual(verdicts, verified);
      }
    });

    it(`rotates the webhook secret of a key below ${keys} to a given one`, async ({ owner, full }) => {
      const webhookSecret = "a secret of one's own";
      const rotated = await owner.post(`${keys}/${full.id}/webhook-secret/rotate`, { webhookSecret });
      assertStatus(rotated, 200);
      assert.equal(rotated.at("webhookSecret"), webhookSecret);
      assertStatus(await owner.post(`${keys}/${full.id}/webhook-secret/rotate`, { webhookSecret: "short" }), 400);
    });
  }

  it("audits the reading of a webhook secret, and sends it to no subscriber", async (world) => {
    const { owner, member, otherOwner, full, service, clock, receiver } = world;
    const heard: unknown[] = [];
    service.on("*", (event) => heard.push(event));
    for (const user of [owner, member]) await user.get("/api-keys"); // creates the user, with an entry
    const created = await owner.post(WEBHOOKS, { url: CALLS_URL });
    const endpoint = `${WEBHOOKS}/${created.text("id")}`;
    clock.advance(MINUTE_MS);
    const secrets = [await owner.get(`/api-keys/${full.id}/webhook-secret`), await owner.get(`${endpoint}/secret`)];
    for (const reply of secrets) assertStatus(reply, 200);
    assertStatus(await member.get(`${endpoint}/secret`), 403);
    const log = assertStatus(await member.get("/api/developer/events"), 200);
    for (const [index, event, subjectId] of [
      [0, "webhook.secret_read", created.text("id")],
      [1, "api_key.secret_read", full.id],
    ] as const) {
      assert.equal(log.at(`data.${index}.event`), event);
      assert.equal(log.at(`data.${index}.subjectId`), subjectId);
      assert.equal(log.at(`data.${index}.timestamp`), "2026-03-02T12:01:00.000Z");
      assert.match(log.text(`data.${index}.actor`), /^user:/);
      const found = await owner.get(`/api/developer/events?event=${event}&subjectId=${subjectId}`);
      assert.equal(found.at("pagination.total"), 1);
    }
    for (const secret of [secrets[0]?.text("webhookSecret"), secrets[1]?.text("secret")]) {
      assert.ok(secret !== undefined && !log.body.includes(secret));
    }
    assert.equal((await otherOwner.get("/api/developer/events?event=webhook.secret_read")).at("pagination.total"), 0);
    assert.equal((await otherOwner.get(`/api/developer/events?subjectId=${full.id}`)).at("pagination.total"), 0);
    await service.webhooks.tick();
    assert.deepEqual([receiver.sent.length, heard.length], [0, 0]);
  });

  it("refuses a subscription to webhook.secret_read", async ({ owner }) => {
    const events = ["webhook.secret_read"];
    assertStatus(await owner.post(WEBHOOKS, { url: CALLS_URL, events }), 400);
    const path = await endpointAt(owner);
    assertStatus(await owner.put(path, { events }), 400);
    assertStatus(await owner.post(`${path}/test`, { event: "webhook.secret_read" }), 400);
  });
}
