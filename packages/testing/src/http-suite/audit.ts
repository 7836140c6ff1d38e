import assert from "node:assert/strict";
import { z } from "zod";
import { type HttpCases, withOptions } from "./cases.js";
import type { Client, Reply } from "./client.js";
import { assertStatus, BUDGETS, createBudget } from "./samples.js";
import { OLGA } from "./world.js";

const EVENTS = "/api/developer/events";
const WEBHOOKS = "/api/developer/webhooks";
const WRONG = { ...OLGA, password: "wrong password" };
const ADDRESS = "203.0.113.7";
const FROM = { "x-forwarded-for": ADDRESS };

export function auditCases(all: HttpCases): void {
  const cases = withOptions(all, { service: { trustedProxies: ["127.0.0.0/8"] } }); // believes the tests when they name an address
  actCases(cases);
  checkpointCases(cases);
  loginCases(cases);
}

function checkpointCases({ it }: HttpCases): void {
  it("signs a checkpoint of the last ledger entry with a key that the service publishes", async ({ full, owner }) => {
    const checkpoint = assertStatus(await owner.get("/api/developer/business/ledger/checkpoint"), 200);
    const decoded = (name: string): unknown => JSON.parse(Buffer.from(checkpoint.text(name), "base64url").toString());
    const newest = await owner.get(`${EVENTS}?limit=1`);
    const { sequence } = z.object({ sequence: z.number() }).parse(decoded("payload"));
    assert.equal(sequence, newest.at("data.0.sequence"));
    const { kid } = z.object({ kid: z.string() }).parse(decoded("protected"));
    assert.equal((await owner.get("/.well-known/jwks.json")).at("keys.0.kid"), kid);
    assertStatus(await full.get("/api/developer/business/ledger/checkpoint"), 401);
  });
}

function actCases({ it }: HttpCases): void {
  it("audits each act on a key with actor, address and the values before and after, without secrets", async (world) => {
    const { owner } = world;
    const webhookUrl = "https://shop.example/hooks";
    const created = await owner.post("/api-keys", { name: "Shop", scopes: ["READ_BUDGETS"], webhookUrl }, FROM);
    const path = `/api-keys/${created.text("id")}`;
    await owner.put(path, { allowedIps: ["10.0.0.0/8"], rateLimitPerHour: 500 }, FROM);
    await owner.put(path, { rateLimitPerHour: 500 }, FROM);
    const regenerated = await owner.post(`${path}/regenerate`, {}, FROM);
    const rotated = await owner.post(`${path}/webhook-secret/rotate`, {}, FROM);
    await owner.get(`${path}/webhook-secret`, FROM);
    await owner.put(path, { status: "SUSPENDED" }, FROM);
    await owner.delete(path, FROM);
    await owner.delete(path, FROM);
    const log = await owner.get(`${EVENTS}?subjectId=${created.text("id")}`);
    assert.deepEqual(typesIn(log), [
      "api_key.revoked",
      "api_key.updated",
      "api_key.secret_read",
      "api_key.secret_rotated",
      "api_key.regenerated",
      "api_key.updated",
      "api_key.created",
    ]);
    for (let index = 0; index < 7; index += 1) {
      assert.match(log.text(`data.${index}.actor`), /^user:/);
      assert.equal(log.at(`data.${index}.data.address`), ADDRESS);
    }
    assert.deepEqual(log.at("data.5.change"), {
      fields: ["rateLimitPerHour", "allowedIps"],
      from: "ACTIVE",
      to: "ACTIVE",
      reason: null,
    });
    assert.deepEqual(log.at("data.5.data.changes"), {
      rateLimitPerHour: { from: 1_000, to: 500 },
      allowedIps: { from: null, to: ["10.0.0.0/8"] },
    });
    assert.deepEqual(log.at("data.1.data.changes"), { status: { from: "ACTIVE", to: "SUSPENDED" } });
    assert.deepEqual(log.at("data.0.data.changes"), { status: { from: "SUSPENDED", to: "REVOKED" } });
    assert.deepEqual(log.at("data.6.data.changes.webhookUrl"), { from: null, to: webhookUrl });
    const secrets = [created.text("key"), created.text("webhookSecret"), regenerated.text("key")];
    for (const secret of [...secrets, rotated.text("webhookSecret")]) assert.ok(!log.body.includes(secret));
  });

  it(
    "audits an act of a key with its address, also for a read link and a queued mail",
    async ({ full, owner }) => {
      const id = await createBudget(full);
      const link = `${BUDGETS}/${id}/public-link`;
      assertStatus(await full.post(link, undefined, FROM), 201);
      assertStatus(await full.get(link, FROM), 200);
      assertStatus(await full.post(link, undefined, { ...FROM, "idempotency-key": "a" }), 200);
      assertStatus(await full.post(`${BUDGETS}/${id}/send`, { to: "ana@example.com" }, FROM), 201);
      for (const [type, count] of [
        ["public_link.read", 1], // once an hour
        ["mail.queued", 1],
      ] as const) {
        const log = await owner.get(`${EVENTS}?event=${type}`);
        assert.equal(log.at("pagination.total"), count);
        for (let index = 0; index < count; index += 1) {
          assert.equal(log.at(`data.${index}.actor`), `key:${full.id}`);
          assert.equal(log.at(`data.${index}.data.address`), ADDRESS);
        }
      }
    },
    { service: { mailer: { send: async () => {}, sendMessage: async () => {} } } },
  );

  it("audits each act on a webhook with actor, address and the values before and after, without secrets", async (world) => {
    const { owner, member } = world;
    const created = await owner.post(WEBHOOKS, { url: "https://shop.example/a" }, FROM);
    const path = `${WEBHOOKS}/${created.text("id")}`;
    await owner.put(path, { url: "https://shop.example/b", allowedIps: ["192.0.2.1"] }, FROM);
    const rotated = await owner.post(`${path}/secret/rotate`, {}, FROM);
    await owner.delete(path, FROM);
    assertStatus(await owner.delete(path, FROM), 404);
    const log = await member.get(`${EVENTS}?subjectId=${created.text("id")}`);
    assert.deepEqual(typesIn(log), ["webhook.deleted", "webhook.secret_rotated", "webhook.updated", "webhook.created"]);
    assert.equal(log.at("data.0.data.address"), ADDRESS);
    assert.match(log.text("data.0.actor"), /^user:/);
    assert.deepEqual(log.at("data.2.data.changes"), {
      url: { from: "https://shop.example/a", to: "https://shop.example/b" },
      allowedIps: { from: null, to: ["192.0.2.1"] },
    });
    assert.deepEqual(log.at("data.0.data.changes.url"), { from: "https://shop.example/b", to: null });
    for (const secret of [created.text("secret"), rotated.text("secret")]) assert.ok(!log.body.includes(secret));
  });

  it("audits a secret that an update replaces as a rotation, and the same secret not at all", async ({ owner }) => {
    const secret = "a secret of its own";
    const key = await owner.post("/api-keys", { name: "Shop", scopes: ["READ_BUDGETS"] });
    const webhook = await owner.post(WEBHOOKS, { url: "https://shop.example/a" });
    for (let count = 0; count < 2; count += 1) {
      assertStatus(await owner.put(`/api-keys/${key.text("id")}`, { webhookSecret: secret }), 200);
      assertStatus(await owner.put(`${WEBHOOKS}/${webhook.text("id")}`, { secret }), 200);
    }
    const ofKey = await owner.get(`${EVENTS}?subjectId=${key.text("id")}`);
    assert.deepEqual(typesIn(ofKey), ["api_key.secret_rotated", "api_key.created"]);
    const ofWebhook = await owner.get(`${EVENTS}?subjectId=${webhook.text("id")}`);
    assert.deepEqual(typesIn(ofWebhook), ["webhook.secret_rotated", "webhook.created"]);
    for (const log of [ofKey, ofWebhook]) assert.ok(!log.body.includes(secret));
  });

  it("audits another tier with both tiers, and nothing when it stays", async ({ service, business, owner }) => {
    for (const tier of ["PREMIUM", "PREMIUM"] as const) await service.businesses.setTier(business.businessId, tier);
    const log = await owner.get(`${EVENTS}?event=business.tier_changed`);
    log.assertAt({ "pagination.total": 1, "data.0.actor": "system", "data.0.subjectId": business.businessId });
    assert.deepEqual(log.at("data.0.data"), { changes: { tier: { from: "STANDARD", to: "PREMIUM" } } });
  });
}

function loginCases({ it }: HttpCases): void {
  it("audits failed and refused logins with their address, in bounded number", async ({ owner, anonymous }) => {
    await owner.get("/api-keys");
    for (let attempt = 0; attempt < 15; attempt += 1) await anonymous.post("/auth/login", WRONG, FROM);
    await anonymous.post("/auth/login", { ...WRONG, email: "eve@example.com" }, FROM);
    const failed = await eventually(owner, `${EVENTS}?event=user.login_failed`, 10);
    failed.assertData({ "0.actor": "anonymous", "0.data": { address: ADDRESS } });
    const refused = await eventually(owner, `${EVENTS}?event=user.login_refused`, 1);
    refused.assertData({ "0.data": { address: ADDRESS }, "0.subjectId": failed.at("data.0.subjectId") });
    for (let network = 1; network < 15; network += 1) {
      await anonymous.post("/auth/login", WRONG, { "x-forwarded-for": `2001:db8:${network}::1` });
    }
    await eventually(owner, `${EVENTS}?event=user.login_failed`, 20);
    assert.ok(!failed.body.includes("wrong password"));
  });

  it("audits a refresh token that is used twice, once", async ({ owner, anonymous }) => {
    await owner.get("/api-keys");
    const session = await anonymous.post("/auth/login", OLGA, FROM);
    const used = { refresh_token: session.text("refresh_token") };
    assertStatus(await anonymous.post("/auth/refresh", used, FROM), 201);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      assertStatus(await anonymous.post("/auth/refresh", used, { "x-forwarded-for": "198.51.100.9" }), 401);
    }
    const log = await owner.get(`${EVENTS}?event=user.token_reused`);
    log.assertAt({ "pagination.total": 1, "data.0.actor": "anonymous" });
    assert.equal(log.at("data.0.subjectId"), String(session.number("user.id")));
    assert.deepEqual(log.at("data.0.data"), { address: "198.51.100.9" });
    assert.ok(!log.body.includes(used.refresh_token));
  });
}

function typesIn(log: Reply): unknown[] {
  return Array.from({ length: log.number("pagination.total") }, (_, index) => log.at(`data.${index}.event`));
}

/** No response waits for the entry of a failed login. */
async function eventually(owner: Client, path: string, total: number): Promise<Reply> {
  for (let attempt = 0; ; attempt += 1) {
    const log = await owner.get(path);
    if (log.at("pagination.total") === total || attempt === 200) {
      assert.equal(log.at("pagination.total"), total);
      return log;
    }
  }
}
