import assert from "node:assert/strict";
import { HOUR_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { assertStatus, assertWrong, BUDGETS } from "./samples.js";
import { START } from "./world.js";

const SHOP = { name: "Shop", scopes: ["READ_BUDGETS"] };

export function apiKeyCases({ it }: HttpCases): void {
  for (const path of ["/api-keys", "/api/developer/api-keys", "/v1/api-keys"]) {
    it(`creates a key that works at ${path}, and shows it once`, async ({ owner, as }) => {
      const created = assertStatus(await owner.post(path, SHOP), 201);
      created.assertAt({ name: "Shop", scopes: ["READ_BUDGETS"], status: "ACTIVE", rateLimitPerHour: 1_000 });
      for (const field of ["description", "allowedIps", "expiresAt", "webhookUrl", "revokedAt", "lastUsedAt"]) {
        assert.equal(created.at(field), null, field);
      }
      assert.equal(created.at("createdAt"), START);
      const key = created.text("key");
      assert.ok(key.startsWith(created.text("keyPrefix")));
      assert.match(created.text("webhookSecret"), /^whsec_/);
      assertStatus(await as(key).get(BUDGETS), 200);
      const read = assertStatus(await owner.get(`${path}/${created.text("id")}`), 200);
      read.assertAt({ key: undefined, webhookSecret: undefined });
    });
  }

  it("creates an API key with every given setting", async ({ owner }) => {
    const created = await owner.post("/api-keys", {
      ...SHOP,
      description: "For the shop",
      rateLimitPerHour: 2_500,
      allowedIps: ["203.0.113.7", "10.1.2.3/8", "::ffff:192.0.2.1"],
      expiresAt: "2027-01-01T00:00:00Z",
      webhookUrl: "https://shop.example/hooks",
      webhookSecret: "a secret of one's own",
    });
    assertStatus(created, 201);
    const read = await owner.get(`/api-keys/${created.text("id")}`);
    read.assertAt({ description: "For the shop", rateLimitPerHour: 2_500 });
    assert.deepEqual(read.at("allowedIps"), ["203.0.113.7", "10.0.0.0/8", "192.0.2.1"]);
    read.assertAt({ expiresAt: "2027-01-01T00:00:00.000Z", webhookUrl: "https://shop.example/hooks" });
  });

  const wrong: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ name: undefined }, "name"],
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["EVERYTHING"] }, "scopes[0]"],
    [{ rateLimitPerHour: 0 }, "rateLimitPerHour"],
    [{ rateLimitPerHour: 1.5 }, "rateLimitPerHour"],
    [{ allowedIps: ["010.0.0.0/8"] }, "allowedIps[0]"],
    [{ allowedIps: ["10/8"] }, "allowedIps[0]"],
    [{ allowedIps: ["1.2.3"] }, "allowedIps[0]"],
    [{ expiresAt: "soon" }, "expiresAt"],
    [{ webhookUrl: "ftp://shop.example" }, "webhookUrl"],
    [{ webhookUrl: "http://127.0.0.1/hooks" }, "webhookUrl"],
    [{ webhookUrl: "http://169.254.169.254/" }, "webhookUrl"],
    [{ webhookUrl: "https://user:pass@shop.example/" }, "webhookUrl"],
    [{ webhookSecret: "short" }, "webhookSecret"],
  ];
  for (const [overrides, field] of wrong) {
    it(`refuses an API key with ${JSON.stringify(overrides)}`, async ({ owner }) => {
      assertWrong(await owner.post("/api-keys", { ...SHOP, ...overrides }), field);
    });
  }

  it("refuses a key above the tier's rate (RATE_LIMIT_ABOVE_TIER), or expired already", async ({ owner }) => {
    const above = assertStatus(await owner.post("/api-keys", { ...SHOP, rateLimitPerHour: 10_001 }), 422);
    above.assertAt({ "error.code": "VALIDATION_ERROR", "error.rule": "RATE_LIMIT_ABOVE_TIER" });
    assert.equal(above.at("error.details.0.field"), "rateLimitPerHour");
    assertStatus(await owner.post("/api-keys", { ...SHOP, expiresAt: "2026-01-01" }), 422);
  });

  it("lists API keys in pages, newest first, without their secrets", async ({ owner, member }) => {
    await owner.post("/api-keys", SHOP);
    const created = await owner.post("/api-keys", SHOP);
    const list = assertStatus(await member.get("/api-keys?limit=2"), 200);
    list.assertAt({ "data.0.id": created.at("id"), "pagination.total": 3, "pagination.hasMore": true });
    assert.ok(!list.body.includes(created.text("key")));
    assertStatus(await member.get("/api-keys?limit=0"), 400);
  });

  it("changes settings and status of an API key, effective at once", async ({ owner, as }) => {
    const created = await owner.post("/api-keys", SHOP);
    const path = `/api-keys/${created.text("id")}`;
    const client = as(created.text("key"));
    const changed = await owner.put(path, { name: "Renamed", rateLimitPerHour: 7, status: "SUSPENDED" });
    assertStatus(changed, 200);
    changed.assertAt({ name: "Renamed", rateLimitPerHour: 7, status: "SUSPENDED" });
    assertStatus(await client.get(BUDGETS), 401);
    await owner.put(`/api/developer${path}`, { status: "ACTIVE" });
    assert.equal((await client.get(BUDGETS)).headers["x-ratelimit-limit"], "7");
  });

  it("regenerates an API key, and ends the old one at once or after a grace period", async ({ owner, as, clock }) => {
    const created = await owner.post("/api-keys", SHOP);
    const path = `/api-keys/${created.text("id")}/regenerate`;
    const second = assertStatus(await owner.post(path, { gracePeriodSeconds: 3_600 }), 200);
    assert.equal(second.at("id"), created.at("id"));
    assertStatus(await as(created.text("key")).get(BUDGETS), 200);
    assertStatus(await as(second.text("key")).get(BUDGETS), 200);
    clock.advance(HOUR_MS);
    assertStatus(await as(created.text("key")).get(BUDGETS), 401);
  });

  it("lists the events of the business to users, newest first", async ({ full, owner }) => {
    await owner.get("/api-keys"); // creates the user, which is listed as well
    const created = await full.post(BUDGETS, {
      customerId: "c",
      items: [{ description: "a", quantity: 1, unitPrice: 1 }],
    });
    await full.put(`${BUDGETS}/${created.text("data.id")}`, { status: "APPROVED" });
    const events = assertStatus(await owner.get("/api/developer/events"), 200);
    events.assertData({ "0.event": "budget.approved", "1.event": "budget.created" });
    assert.equal(events.at("data.1.actor"), `key:${full.id}`);
    assert.equal((await owner.get("/api/developer/events?event=budget.created")).at("pagination.total"), 1);
    assertStatus(await owner.get("/api/developer/events?event=budget.exploded"), 400);
    assertStatus(await full.get("/api/developer/events"), 401);
  });
}
