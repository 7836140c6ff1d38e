import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import type { Client, Reply } from "./client.js";
import { assertRule, assertStatus, assertWrong } from "./samples.js";
import { START } from "./world.js";

const INTEGRATIONS = "/api/developer/integrations";
const SHOP = { name: "Shop" };

export function integrationCases({ it }: HttpCases): void {
  it("creates an integration, which every user of the business reads", async ({ owner, member, full }) => {
    const webhookId = await webhookOf(owner);
    const settings = {
      ...SHOP,
      description: "The one in town",
      status: "INACTIVE",
      apiKeyId: full.id,
      webhookIds: [webhookId],
      config: { theme: { dark: true }, "a.b": [1, null, "ñ"] },
    };
    const created = assertStatus(await owner.post(INTEGRATIONS, settings), 201);
    const id = created.text("id");
    assert.deepEqual(JSON.parse(created.body), { id, ...settings, createdAt: START, updatedAt: START });
    const location = new URL(created.headers.location ?? "", `http://host.example/v1${INTEGRATIONS}`);
    assert.equal(location.pathname, `/v1${INTEGRATIONS}/${id}`);
    assert.equal(assertStatus(await member.get(`${INTEGRATIONS}/${id}`), 200).body, created.body);
  });

  it("an integration is ACTIVE and empty by default, and clears with null", async ({ owner, full, clock }) => {
    const path = await integrationAt(owner, { apiKeyId: full.id, description: "First" });
    const read = await owner.get(path);
    assert.deepEqual(
      [read.at("status"), read.at("webhookIds"), read.at("config")].map((value) => JSON.stringify(value)),
      ['"ACTIVE"', "[]", "{}"],
    );
    clock.advance(1_000);
    const changed = assertStatus(await owner.put(path, { name: "Store", config: { a: 1 } }), 200);
    assert.deepEqual([changed.at("name"), changed.at("description")], ["Store", "First"]);
    assert.deepEqual([changed.at("createdAt"), changed.at("updatedAt")], [START, "2026-03-02T12:00:01.000Z"]);
    const cleared = await owner.put(path, { apiKeyId: null, description: null, config: {} });
    cleared.assertAt({ apiKeyId: null, description: null, config: {}, name: "Store" });
  });

  const wrong: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ name: undefined }, "name"],
    [{ name: "" }, "name"],
    [{ status: "PAUSED" }, "status"],
    [{ apiKeyId: 7 }, "apiKeyId"],
    [{ webhookIds: "60" }, "webhookIds"],
    [{ webhookIds: ["60", "60"] }, "webhookIds"],
    [{ config: [] }, "config"],
    [{ config: { text: "x".repeat(16 * 1_024) } }, "config"],
    [{ config: { constructor: 1 } }, "config.constructor"],
  ];
  for (const [overrides, field] of wrong) {
    it(`refuses an integration with ${JSON.stringify(overrides).slice(0, 60)}`, async ({ owner }) => {
      assertWrong(await owner.post(INTEGRATIONS, { ...SHOP, ...overrides }), field);
      assert.equal((await owner.get(INTEGRATIONS)).at("pagination.total"), 0);
    });
  }

  it("refuses keys and webhooks of others (UNKNOWN_REFERENCE)", async ({ owner, otherOwner, full }) => {
    const theirs = await webhookOf(otherOwner);
    const own = await webhookOf(owner);
    const path = await integrationAt(owner, {});
    for (const [settings, field] of [
      [{ apiKeyId: "999999" }, "apiKeyId"],
      [{ apiKeyId: own }, "apiKeyId"],
      [{ webhookIds: [own, theirs] }, "webhookIds[1]"],
      [{ webhookIds: [full.id] }, "webhookIds[0]"],
    ] as const) {
      assertUnknown(await owner.post(INTEGRATIONS, { ...SHOP, ...settings }), field);
      assertUnknown(await owner.put(path, settings), field);
    }
    const foreign = await otherOwner.post(INTEGRATIONS, { ...SHOP, apiKeyId: full.id });
    const unknown = await otherOwner.post(INTEGRATIONS, { ...SHOP, apiKeyId: "999999" });
    assert.equal(foreign.body, unknown.body);
  });

  it("lists integrations in pages, newest first", async ({ owner, member }) => {
    for (const name of ["a", "b", "c"]) await integrationAt(owner, { name });
    const page = assertStatus(await member.get(`${INTEGRATIONS}?limit=2`), 200);
    assert.deepEqual([page.at("data.0.name"), page.at("data.1.name")], ["c", "b"]);
    assert.deepEqual([page.at("pagination.total"), page.at("pagination.hasMore")], [3, true]);
    assertStatus(await owner.get(`${INTEGRATIONS}?limit=0`), 400);
  });

  it("deletes an integration for good", async ({ owner }) => {
    const path = await integrationAt(owner, {});
    const deleted = assertStatus(await owner.delete(path), 200);
    assert.deepEqual(deleted.at("data"), { id: path.slice(INTEGRATIONS.length + 1), deletedAt: START });
    for (const reply of [await owner.get(path), await owner.delete(path), await owner.put(path, {})]) {
      assertStatus(reply, 404);
      assert.equal(reply.at("error.code"), "RESOURCE_NOT_FOUND");
    }
    assert.equal((await owner.get(INTEGRATIONS)).at("pagination.total"), 0);
  });
}

async function integrationAt(client: Client, settings: Readonly<Record<string, unknown>>): Promise<string> {
  const created = assertStatus(await client.post(INTEGRATIONS, { ...SHOP, ...settings }), 201);
  return `${INTEGRATIONS}/${created.text("id")}`;
}

async function webhookOf(client: Client): Promise<string> {
  const created = await client.post("/api/developer/webhooks", { url: "https://hooks.example/calls" });
  assertStatus(created, 201);
  return created.text("id");
}

function assertUnknown(reply: Reply, field: string): void {
  assertRule(reply, "UNKNOWN_REFERENCE", field);
}
