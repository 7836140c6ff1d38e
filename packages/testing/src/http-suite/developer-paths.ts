import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import type { Client } from "./client.js";
import { assertRule, assertStatus, BUDGETS } from "./samples.js";
import { START } from "./world.js";

const DEVELOPER = "/api/developer";

/** The resources of the contract's developer-dashboard paths: what makes one, and what changes it. */
const RESOURCES = {
  "api-keys": { make: { name: "Shop", scopes: ["READ_BUDGETS"] }, change: { name: "Store" } },
  integrations: { make: { name: "Shop" }, change: { name: "Store" } },
  webhooks: { make: { url: "https://hooks.example/calls" }, change: { description: "Stock" } },
} as const;

/** Every prefix under which the contract has the paths of API keys. */
const KEY_PREFIXES = ["/api-keys", "/v1/api-keys", `${DEVELOPER}/api-keys`];

const SHOP = RESOURCES["api-keys"].make;

/** Source: contract, Developer-dashboard paths; API key management. */
export function developerPathCases({ it }: HttpCases): void {
  for (const [name, { make, change }] of Object.entries(RESOURCES)) {
    it(`serves ${name} at the developer path: GET, POST, and of one GET, PUT, DELETE`, async ({ owner }) => {
      const path = `${DEVELOPER}/${name}`;
      assertStatus(await owner.get(path), 200);
      const made = assertStatus(await owner.post(path, make), 201);
      const one = `${path}/${made.text("id")}`;
      assert.equal((await owner.get(path)).at("data.0.id"), made.at("id"));
      assert.equal((await owner.get(one)).at("id"), made.at("id"));
      const changed = assertStatus(await owner.put(one, change), 200);
      for (const [field, value] of Object.entries(change)) assert.equal(changed.at(field), value);
      assert.equal(assertStatus(await owner.delete(one), 200).at("data.id"), made.at("id"));
      assert.equal(assertStatus(await owner.send("PATCH", one, change), 405).headers.allow, "GET, HEAD, PUT, DELETE");
    });
  }

  it("serves the test of a webhook at the developer path", async ({ owner }) => {
    const missing = assertStatus(await owner.post(`${DEVELOPER}/webhooks/999999/test`), 404);
    assert.equal(missing.at("error.code"), "RESOURCE_NOT_FOUND");
    assert.equal(assertStatus(await owner.get(`${DEVELOPER}/webhooks/999999/test`), 405).headers.allow, "POST");
  });

  for (const prefix of KEY_PREFIXES) {
    it(`lists, reads and changes API keys at ${prefix}`, async ({ owner }) => {
      const id = (await madeAt(owner, "/api-keys")).text("id");
      assert.equal((await owner.get(prefix)).at("data.0.id"), id);
      assertStatus(await owner.put(`${prefix}/${id}`, { name: "Renamed" }), 200);
      for (const other of KEY_PREFIXES) assert.equal((await owner.get(`${other}/${id}`)).at("name"), "Renamed");
    });

    it(`regenerates API keys at ${prefix}, and the old key ends at once`, async ({ owner, as }) => {
      const made = await madeAt(owner, "/api-keys");
      const path = `${prefix}/${made.text("id")}/regenerate`;
      assertStatus(await owner.post(path, "{}", { "content-type": "text/plain" }), 415);
      const regenerated = assertStatus(await owner.post(path), 200);
      assert.equal(regenerated.at("id"), made.at("id"));
      assertStatus(await as(made.text("key")).get(BUDGETS), 401);
      assertStatus(await as(regenerated.text("key")).get(BUDGETS), 200);
    });

    it(`revokes API keys at ${prefix}, visible under the other prefixes (KEY_REVOKED)`, async ({ owner, as }) => {
      const made = await madeAt(owner, "/api-keys");
      const id = made.text("id");
      const revoked = assertStatus(await owner.delete(`${prefix}/${id}`), 200);
      assert.deepEqual(revoked.at("data"), { id, status: "REVOKED", revokedAt: START });
      assertStatus(await as(made.text("key")).get(BUDGETS), 401);
      for (const other of KEY_PREFIXES) {
        assert.equal((await owner.get(`${other}/${id}`)).at("status"), "REVOKED");
        assertRule(await owner.post(`${other}/${id}/regenerate`), "KEY_REVOKED");
        assertRule(await owner.put(`${other}/${id}`, { status: "ACTIVE" }), "KEY_REVOKED");
      }
    });

    it(`reads and replaces the webhook secret of a key at ${prefix}`, async ({ owner }) => {
      const made = await madeAt(owner, "/api-keys");
      const path = `${prefix}/${made.text("id")}/webhook-secret`;
      const read = await owner.get(path);
      assert.deepEqual(JSON.parse(read.body), { webhookSecret: made.at("webhookSecret") });
      const rotated = assertStatus(await owner.post(`${path}/rotate`), 200);
      assert.equal((await owner.get(path)).at("webhookSecret"), rotated.at("webhookSecret"));
    });
  }
}

async function madeAt(owner: Client, path: string) {
  return assertStatus(await owner.post(path, SHOP), 201);
}
