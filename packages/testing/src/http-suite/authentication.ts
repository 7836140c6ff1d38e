import assert from "node:assert/strict";
import { DAY_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { assertStatus, BUDGETS } from "./samples.js";

export function authenticationCases({ it }: HttpCases): void {
  it("refuses every unusable key with the same message (UNAUTHORIZED)", async (world) => {
    const { anonymous, service, business, clock } = world;
    const suspended = await world.withKey();
    const revoked = await world.withKey();
    const expired = await world.withKey({ expiresAt: "2026-03-03T00:00:00Z" });
    await service.keys.update(business, suspended.id, { status: "SUSPENDED" });
    await service.keys.revoke(business, revoked.id);
    clock.advance(DAY_MS);
    const altered = `${world.full.key.slice(0, -1)}${world.full.key.endsWith("0") ? "1" : "0"}`;
    const replies = [
      await anonymous.get(BUDGETS),
      await anonymous.get(BUDGETS, { authorization: "" }),
      await anonymous.get(BUDGETS, { authorization: "Bearer" }),
      await anonymous.get(BUDGETS, { authorization: `Basic ${world.full.key}` }),
      await anonymous.get(BUDGETS, { authorization: world.full.key }),
      await anonymous.get(`${BUDGETS}?api_key=${world.full.key}`),
      await world.as(altered).get(BUDGETS),
      await world.as(`${world.full.key} ${world.full.key}`).get(BUDGETS),
      await world.as("bgk_live_").get(BUDGETS),
      await suspended.get(BUDGETS),
      await revoked.get(BUDGETS),
      await expired.get(BUDGETS),
    ];
    for (const reply of replies) {
      assertStatus(reply, 401);
      assert.equal(reply.body, replies[0]?.body);
      assert.equal(reply.headers["x-ratelimit-limit"], undefined);
    }
    assert.equal(replies[0]?.at("error"), "unauthorized");
  });

  it("accepts the Authorization scheme in any case", async ({ full, anonymous }) => {
    assertStatus(await anonymous.get(BUDGETS, { authorization: `bearer ${full.key}` }), 200);
    assertStatus(await anonymous.get(BUDGETS, { authorization: `BEARER  ${full.key}` }), 200);
  });

  it("refuses two credentials at once (UNAUTHORIZED)", async ({ full, anonymous }) => {
    const line = `Bearer ${full.key}`;
    assertStatus(await anonymous.get(BUDGETS, { authorization: [line, line] }), 401);
  });

  it("accepts a key again after a suspension", async (world) => {
    const key = await world.withKey();
    await world.service.keys.update(world.business, key.id, { status: "SUSPENDED" });
    assertStatus(await key.get(BUDGETS), 401);
    await world.service.keys.update(world.business, key.id, { status: "ACTIVE" });
    assertStatus(await key.get(BUDGETS), 200);
  });

  it("refuses a client outside the allowed addresses of a key (FORBIDDEN)", async (world) => {
    const elsewhere = await world.withKey({ allowedIps: ["203.0.113.7", "2001:db8::/32"] });
    const refused = assertStatus(await elsewhere.get(BUDGETS, { "x-forwarded-for": "203.0.113.7" }), 403);
    assert.equal(refused.at("error"), "forbidden");
  });

  it("refuses a key where users log in (UNAUTHORIZED)", async ({ full }) => {
    assert.equal(assertStatus(await full.get("/api-keys"), 401).at("error.code"), "UNAUTHORIZED");
  });

  it("checks the scope before the body and the budget (FORBIDDEN)", async ({ reader }) => {
    assertStatus(await reader.post(BUDGETS, "{"), 403);
    assertStatus(await reader.delete(`${BUDGETS}/999`), 403);
  });
}
