import assert from "node:assert/strict";
import { DAY_MS, MINUTE_MS } from "../../kernel/clock.js";
import type { SendOutcome, SendRequest } from "../../webhooks/sender.js";
import { verifyWebhook } from "../../webhooks/verify-webhook.js";
import type { HttpCases } from "./cases.js";
import { assertInvalid, assertRule, assertStatus, createBudget } from "./samples.js";
import { START, type World, type WorldOptions } from "./world.js";

const WEBHOOKS = "/api/developer/webhooks";
const TEST = "/api/public/webhooks/test";
const URL = "https://hooks.example/budgets";
const SAMPLE = { event: "budget.approved", data: { id: "sample" } };

/** A receiver that answers as it is told, and what it was sent. */
function receiver() {
  const sent: SendRequest[] = [];
  const state = { code: 204 };
  const send = async (request: SendRequest): Promise<SendOutcome> => {
    sent.push(request);
    const { code: responseCode } = state;
    return { kind: "answered", responseCode, responseBody: "ok", retryAfterSeconds: null, durationMs: 7 };
  };
  const options: WorldOptions = { service: { webhooks: { sender: { send } } } };
  const answer = (code: number): void => {
    state.code = code;
  };
  return { sent, options, answer };
}

export function webhookCases(cases: HttpCases): void {
  endpointCases(cases);
  deliveryCases(cases);
  testCases(cases);
  keySecretCases(cases);
}

function endpointCases({ describe, it }: HttpCases): void {
  describe("webhook endpoints", () => {
    it("are created with the contract's settings, and show their secret", async ({ owner }) => {
      const created = await owner.post(WEBHOOKS, { url: URL });
      assertStatus(created, 201);
      assert.equal(created.headers["cache-control"], "no-store");
      const { id, secret, ...rest } = JSON.parse(created.body);
      assert.match(secret, /^whsec_/);
      assert.deepEqual(rest, {
        url: URL,
        description: null,
        events: null,
        status: "ACTIVE",
        disabledReason: null,
        allowedIps: null,
        retryPolicy: { delaysSeconds: [0, 60, 300, 1_800, 7_200, 43_200] },
        failingSince: null,
        createdAt: START,
        updatedAt: START,
      });
      const read = await owner.get(`${WEBHOOKS}/${id}`);
      assertStatus(read, 200);
      assert.deepEqual(JSON.parse(read.body), { id, ...rest });
      assert.deepEqual(JSON.parse((await owner.get(`${WEBHOOKS}/${id}/secret`)).body), { secret });
    });

    const wrong: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
      [{ url: undefined }, "url"],
      [{ url: "http://127.0.0.1/hooks" }, "url"],
      [{ url: "http://[::ffff:a9fe:a9fe]/" }, "url"],
      [{ url: "https://user:pass@hooks.example/" }, "url"],
      [{ events: ["budget.exploded"] }, "events[0]"],
      [{ allowedIps: ["10/8"] }, "allowedIps[0]"],
      [{ retryPolicy: { delaysSeconds: [60] } }, "retryPolicy.delaysSeconds"],
      [{ secret: "short" }, "secret"],
    ];
    for (const [overrides, field] of wrong) {
      it(`refuse ${JSON.stringify(overrides)}`, async ({ owner }) => {
        const refused = await owner.post(WEBHOOKS, { url: URL, ...overrides });
        assertStatus(refused, 400);
        assert.equal(refused.at("error.details.0.field"), field);
      });
    }

    it("are listed, changed and deleted", async ({ owner, member }) => {
      const created = await owner.post(WEBHOOKS, { url: URL });
      const path = `${WEBHOOKS}/${created.text("id")}`;
      const changed = await owner.put(path, { events: ["budget.approved"], status: "DISABLED" });
      assertStatus(changed, 200);
      assert.deepEqual(changed.at("events"), ["budget.approved"]);
      const list = await member.get(WEBHOOKS);
      assertStatus(list, 200);
      assert.equal(list.at("data.0.status"), "DISABLED");
      assert.ok(!list.body.includes(created.text("secret")));
      const deleted = await owner.delete(path);
      assertStatus(deleted, 200);
      assert.deepEqual(deleted.at("data"), { id: created.at("id"), deletedAt: START });
      assertStatus(await owner.get(path), 404);
      assertStatus(await owner.delete(path), 404);
    });

    it("let a MEMBER look and nothing else, and a key not even that", async ({ owner, member, full }) => {
      const created = await owner.post(WEBHOOKS, { url: URL });
      const path = `${WEBHOOKS}/${created.text("id")}`;
      assertStatus(await member.get(path), 200);
      assertStatus(await member.get(`${path}/deliveries`), 200);
      assertStatus(await member.post(WEBHOOKS, { url: URL }), 403);
      assertStatus(await member.put(path, {}), 403);
      assertStatus(await member.delete(path), 403);
      assertStatus(await member.get(`${path}/secret`), 403);
      assertStatus(await member.post(`${path}/secret/rotate`), 403);
      assertStatus(await member.post(`${path}/test`), 403);
      assertStatus(await member.post(`${path}/recover`, { since: START }), 403);
      assertStatus(await full.get(WEBHOOKS), 401);
    });

    it("are unknown to other businesses", async ({ owner, otherOwner }) => {
      const path = `${WEBHOOKS}/${(await owner.post(WEBHOOKS, { url: URL })).text("id")}`;
      assertStatus(await otherOwner.get(path), 404);
      assertStatus(await otherOwner.put(path, {}), 404);
      assertStatus(await otherOwner.delete(path), 404);
      assertStatus(await otherOwner.post(`${path}/test`), 404);
      assertStatus(await otherOwner.get(`${path}/deliveries`), 404);
      assertStatus(await otherOwner.post(`${path}/recover`, { since: START }), 404);
      assertStatus(await otherOwner.post(`${path}/secret/rotate`), 404);
      assert.equal((await otherOwner.get(WEBHOOKS)).at("pagination.total"), 0);
    });

    const rotating = receiver();
    it(
      "sign with both secrets for a day after a rotation",
      async ({ owner, full, service, clock }) => {
        const created = await owner.post(WEBHOOKS, { url: URL });
        const rotated = await owner.post(`${WEBHOOKS}/${created.text("id")}/secret/rotate`);
        assertStatus(rotated, 200);
        assert.equal(rotated.at("previousSecretUntil"), new Date(clock.now() + DAY_MS).toISOString());
        await createBudget(full);
        await service.webhooks.tick();
        const call = rotating.sent.at(-1);
        for (const secret of [created.text("secret"), rotated.text("secret")]) {
          assert.ok(verifyWebhook(call?.headers ?? {}, call?.body ?? "", secret, { now: clock.now() }).ok);
        }
      },
      rotating.options,
    );
  });
}

function deliveryCases({ describe, it }: HttpCases): void {
  describe("deliveries", () => {
    const own = receiver();
    it(
      "go to whoever listens, are listed with their attempts, and begin anew on request",
      async ({ owner, full, service, clock }) => {
        own.answer(500);
        const created = await owner.post(WEBHOOKS, { url: URL, retryPolicy: { delaysSeconds: [0, 60] } });
        const path = `${WEBHOOKS}/${created.text("id")}`;
        const budget = await createBudget(full);
        await service.webhooks.tick();
        assert.equal((await owner.get(`${path}/deliveries?status=retrying`)).at("pagination.total"), 1);
        clock.advance(2 * MINUTE_MS);
        await service.webhooks.tick();
        const listed = await owner.get(`${path}/deliveries?status=failed&event=budget.created`);
        assertStatus(listed, 200);
        assert.equal(listed.at("data.0.attemptCount"), 2);
        assert.equal(listed.at("data.0.attempts.1.responseCode"), 500);
        assert.equal(listed.at("data.0.attempts.1.responseBody"), "ok");
        assert.equal(listed.at("data.0.payload.data.id"), budget);
        own.answer(200);
        const id = listed.text("data.0.id");
        const retried = await owner.post(`${path}/deliveries/${id}/retry`);
        assertStatus(retried, 200);
        assert.equal(retried.at("data.status"), "pending");
        const twice = await owner.post(`${path}/deliveries/${id}/retry`);
        assertStatus(twice, 422);
        assert.equal(twice.at("error.rule"), "DELIVERY_NOT_FINISHED");
        assertStatus(await owner.post(`${path}/deliveries/1/retry`), 404);
        await service.webhooks.tick();
        assert.equal((await owner.get(`${path}/deliveries?status=delivered`)).at("data.0.id"), id);
        assert.equal(new Set(own.sent.map(({ body }) => body)).size, 1);
        assertStatus(await owner.get(`${path}/deliveries?status=lost`), 400);
      },
      own.options,
    );

    const failing = receiver();
    it(
      "that failed begin anew together, since a time",
      async ({ owner, full, service }) => {
        failing.answer(500);
        const created = await owner.post(WEBHOOKS, { url: URL, retryPolicy: { delaysSeconds: [0] } });
        const path = `${WEBHOOKS}/${created.text("id")}`;
        await createBudget(full);
        await createBudget(full);
        await service.webhooks.tick();
        const recovered = await owner.post(`${path}/recover`, { since: START });
        assertStatus(recovered, 200);
        assert.deepEqual(recovered.at("data"), { restarted: 2 });
        assertStatus(await owner.post(`${path}/recover`, {}), 400);
        await owner.put(path, { status: "DISABLED" });
        const disabled = await owner.post(`${path}/recover`, { since: START });
        assertStatus(disabled, 422);
        assert.equal(disabled.at("error.rule"), "WEBHOOK_DISABLED");
      },
      failing.options,
    );

    const ofKeys = receiver();
    it(
      "of a key are at the key, under both paths",
      async (world) => {
        const { owner, service } = world;
        const key = await world.withKey({ webhookUrl: "https://shop.example/hooks" });
        await createBudget(key);
        await service.webhooks.tick();
        assert.deepEqual(
          ofKeys.sent.map(({ url }) => url),
          ["https://shop.example/hooks"],
        );
        for (const path of [`/api-keys/${key.id}`, `/api/developer/api-keys/${key.id}`]) {
          const listed = await owner.get(`${path}/deliveries`);
          assertStatus(listed, 200);
          assert.equal(listed.at("data.0.status"), "delivered");
          assertStatus(await owner.post(`${path}/deliveries/${listed.text("data.0.id")}/retry`), 200);
          await service.webhooks.tick();
          assertStatus(await owner.post(`${path}/recover`, { since: START }), 200);
        }
        assert.equal(ofKeys.sent.length, 3);
      },
      ofKeys.options,
    );
  });
}

function testCases({ describe, it }: HttpCases): void {
  const withUrl = (world: World) =>
    world.withKey({ scopes: ["WEBHOOKS"], webhookUrl: "https://shop.example/hooks", webhookSecret: "s".repeat(32) });

  describe("the webhook test", () => {
    const own = receiver();
    it(
      "sends a signed call to the key's URL and tells what came of it",
      async (world) => {
        const key = await withUrl(world);
        const tested = await key.post(TEST, SAMPLE);
        assertStatus(tested, 200);
        const call = own.sent[0];
        assert.deepEqual(tested.at("data"), {
          delivery_id: call?.headers["webhook-id"],
          status: "delivered",
          response_code: 204,
          response_time: 7,
          delivered_at: new Date(world.clock.now() + 7).toISOString(),
        });
        assert.equal(typeof tested.at("message"), "string");
        const verdict = verifyWebhook(call?.headers ?? {}, call?.body ?? "", "s".repeat(32), {
          now: world.clock.now(),
        });
        assert.ok(verdict.ok && verdict.event.event === "budget.approved" && verdict.event.data.id === "sample");
        assert.match(call?.headers["x-service-signature"] ?? "", /^sha256=[0-9a-f]{64}$/);
        own.answer(500);
        const failed = await key.post(TEST, SAMPLE);
        assertStatus(failed, 200);
        assert.equal(failed.at("data.status"), "failed");
        assert.equal(failed.at("data.response_code"), 500);
      },
      own.options,
    );

    const often = receiver();
    it(
      "is admitted ten times a minute",
      async (world) => {
        const key = await withUrl(world);
        for (let count = 0; count < 10; count += 1) assertStatus(await key.post(TEST, SAMPLE), 200);
        const refused = await key.post(TEST, SAMPLE);
        assertStatus(refused, 429);
        assert.equal(refused.at("error"), "rate_limit_exceeded");
        const resetAt = new Date(world.clock.now() + MINUTE_MS).toISOString();
        assert.deepEqual(refused.at("details"), { limit: 10, remaining: 0, resetAt });
        assert.equal(refused.headers["retry-after"], "60");
        assert.equal(refused.headers["x-ratelimit-limit"], "1000");
        world.clock.advance(MINUTE_MS);
        assertStatus(await key.post(TEST, SAMPLE), 200);
        assert.equal(often.sent.length, 11);
      },
      often.options,
    );

    it("needs the scope, a URL, an event and data", async (world) => {
      assertStatus(await world.full.post(TEST, SAMPLE), 403);
      assertStatus(await world.anonymous.post(TEST, SAMPLE), 401);
      const key = await world.withKey({ scopes: ["WEBHOOKS"] });
      assertRule(await key.post(TEST, SAMPLE), "NO_WEBHOOK_URL");
      assertInvalid(await key.post(TEST, { event: "budget.exploded" }), "event:INVALID_VALUE", "data:REQUIRED");
    });

    const ofEndpoint = receiver();
    it(
      "of an endpoint needs no body, and has the same limit",
      async ({ owner }) => {
        const path = `${WEBHOOKS}/${(await owner.post(WEBHOOKS, { url: URL })).text("id")}`;
        const tested = await owner.post(`${path}/test`);
        assertStatus(tested, 200);
        assert.equal(tested.at("data.status"), "delivered");
        for (let count = 1; count < 10; count += 1) assertStatus(await owner.post(`${path}/test`, SAMPLE), 200);
        assertStatus(await owner.post(`${path}/test`), 429);
        assert.equal(ofEndpoint.sent.length, 10);
        assert.equal((await owner.get(`${path}/deliveries`)).at("data.0.eventId"), null);
      },
      ofEndpoint.options,
    );
  });
}

function keySecretCases({ describe, it }: HttpCases): void {
  describe("the webhook secret of a key", () => {
    for (const root of ["/api-keys", "/api/developer/api-keys"]) {
      it(`is rotated at ${root}`, async ({ owner, member }) => {
        const created = await owner.post("/api-keys", { name: "Shop", scopes: ["WEBHOOKS"] });
        const path = `${root}/${created.text("id")}/webhook-secret`;
        const rotated = await owner.post(`${path}/rotate`);
        assertStatus(rotated, 200);
        assert.equal(rotated.headers["cache-control"], "no-store");
        assert.notEqual(rotated.at("webhookSecret"), created.at("webhookSecret"));
        assert.equal((await owner.get(path)).at("webhookSecret"), rotated.at("webhookSecret"));
        const own = await owner.post(`${path}/rotate`, { webhookSecret: "a secret of one's own" });
        assert.equal(own.at("webhookSecret"), "a secret of one's own");
        assertStatus(await member.post(`${path}/rotate`), 403);
        assertStatus(await owner.post(`${path}/rotate`, { webhookSecret: "short" }), 400);
      });
    }
  });
}
