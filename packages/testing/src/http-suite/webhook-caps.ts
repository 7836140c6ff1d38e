import assert from "node:assert/strict";
import { MAX_ENDPOINTS, MAX_KEYS_WITH_WEBHOOK, MINUTE_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { assertRule, assertStatus } from "./samples.js";
import { CALLS_URL, endpointAt, WEBHOOKS } from "./webhook-samples.js";

const SHOP = { name: "Shop", scopes: ["READ_BUDGETS"] };

export function webhookCapCases({ it }: HttpCases): void {
  it("refuses the endpoint after a hundred, and accepts one after a deletion (TOO_MANY_WEBHOOKS)", async (world) => {
    const { owner, otherOwner, clock } = world;
    const first = await endpointAt(owner);
    for (let count = 1; count < MAX_ENDPOINTS; count += 1) await endpointAt(owner);
    clock.advance(MINUTE_MS); // past the limit of requests
    const refused = await owner.post(WEBHOOKS, { url: CALLS_URL });
    assertRule(refused, "TOO_MANY_WEBHOOKS");
    assert.ok(refused.body.includes(String(MAX_ENDPOINTS)));
    assert.equal((await owner.get(WEBHOOKS)).at("pagination.total"), MAX_ENDPOINTS);
    await endpointAt(otherOwner);
    assertStatus(await owner.delete(first), 200);
    await endpointAt(owner);
  });

  it("refuses the 101st key with a webhookUrl (TOO_MANY_WEBHOOKS)", async ({ owner, withKey, full }) => {
    for (let count = 0; count < MAX_KEYS_WITH_WEBHOOK; count += 1) await withKey({ webhookUrl: CALLS_URL });
    const idle = await owner.post("/api-keys", SHOP);
    const made = await owner.post("/api-keys", { ...SHOP, webhookUrl: CALLS_URL });
    const changed = await owner.put(`/api-keys/${full.id}`, { webhookUrl: CALLS_URL });
    for (const refused of [made, changed]) {
      assertRule(refused, "TOO_MANY_WEBHOOKS");
    }
    assert.equal((await owner.get(`/api-keys/${full.id}`)).at("webhookUrl"), null);
    const path = `/api-keys/${idle.text("id")}`;
    assertStatus(await owner.put(path, { status: "SUSPENDED", webhookUrl: CALLS_URL }), 200);
    assertStatus(await owner.put(path, { status: "ACTIVE" }), 422);
    assertStatus(await owner.put(path, { status: "ACTIVE", webhookUrl: null }), 200);
  });
}
