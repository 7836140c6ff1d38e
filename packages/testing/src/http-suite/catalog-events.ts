import assert from "node:assert/strict";
import type { SendRequest } from "@budgetkit/core";
import type { HttpCases } from "./cases.js";
import { CUSTOMERS, createIn, PACKAGES, PRODUCTS } from "./catalog-kinds.js";
import { assertStatus } from "./samples.js";

const EVENTS = "/api/developer/events";

export function catalogEventCases({ it }: HttpCases): void {
  it("customer events contain the whole record, its previous values, and its deletion", async (world) => {
    const client = await world.withKey({ scopes: ["READ_CUSTOMERS", "WRITE_CUSTOMERS"] });
    const created = await client.post(CUSTOMERS, { id: "c-1", name: "Bruno", email: "b@example.com" });
    const path = `${CUSTOMERS}/c-1`;
    world.clock.advance(1_000);
    const updated = await client.put(path, { name: "Bruno Díaz", email: null, phone: null });
    await client.put(path, { name: "Bruno Díaz" });
    await client.delete(path);
    const restored = await client.post(`${path}/restore`);
    const events = await world.owner.get(`${EVENTS}?subjectId=c-1`);
    assert.equal(events.at("pagination.total"), 4);
    const entries = [3, 2, 1, 0].map((index) => Object(events.at(`data.${index}`)));
    const deletedAt = "2026-03-02T12:00:01.000Z";
    assert.deepEqual(
      entries.map(({ event, data }) => [event, data]),
      [
        ["customer.created", created.at("data")],
        [
          "customer.updated",
          {
            ...Object(updated.at("data")),
            previous: { name: "Bruno", email: "b@example.com" },
            changes: [
              { kind: "field", field: "name", before: "Bruno", after: "Bruno Díaz" },
              { kind: "field", field: "email", before: "b@example.com", after: null },
            ],
          },
        ],
        ["customer.deleted", { id: "c-1", deletedAt }],
        [
          "customer.updated",
          {
            ...Object(restored.at("data")),
            previous: { deletedAt },
            changes: [{ kind: "field", field: "deletedAt", before: deletedAt, after: null }],
          },
        ],
      ],
    );
    assert.deepEqual(
      entries.map(({ change: { fields, from, to } }) => [fields, from, to]),
      [
        [[], null, "ACTIVE"],
        [["name", "email"], "ACTIVE", "ACTIVE"],
        [["deletedAt"], "ACTIVE", "DELETED"],
        [["deletedAt"], "DELETED", "ACTIVE"],
      ],
    );
    assert.equal(entries[0].actor, `key:${client.id}`);
  });

  it("changes of products are events; changes of packages are audit entries", async (world) => {
    const client = await world.withKey({ scopes: ["READ_PRODUCTS", "WRITE_PRODUCTS"] });
    const variants = [{ id: "v", name: "Dark" }];
    await createIn(client, PRODUCTS, { id: "p-1", name: "Table", variants });
    await createIn(client, PACKAGES, { id: "b-1", name: "Set", items: [{ productId: "p-1", quantity: 1 }] });
    await client.put(`${PRODUCTS}/p-1`, { unitPrice: 9.5, variants: [] });
    await client.put(`${PACKAGES}/b-1`, { price: 5 });
    await client.delete(`${PACKAGES}/b-1`);
    await client.delete(`${PRODUCTS}/p-1`);
    const events = await world.owner.get(`${EVENTS}?subjectId=p-1`);
    const types = [2, 1, 0].map((index) => events.at(`data.${index}.event`));
    assert.deepEqual(types, ["product.created", "product.updated", "product.deleted"]);
    assert.equal((await world.owner.get(`${EVENTS}?subjectId=p-1`)).at("pagination.total"), 3);
    const audited = await world.owner.get(`${EVENTS}?subjectId=b-1`); // no subscriber gets these
    assert.deepEqual(
      [2, 1, 0].map((index) => audited.at(`data.${index}.event`)),
      ["package.created", "package.updated", "package.deleted"],
    );
    assert.deepEqual(events.at("data.1.data.previous"), {
      unitPrice: null,
      variants: [{ id: "v", name: "Dark", sku: null, options: {}, unitPrice: null, active: true }],
    });
  });

  it("the event of a large product contains its name and its changed fields", async (world) => {
    const client = await world.withKey({ scopes: ["READ_PRODUCTS", "WRITE_PRODUCTS"] });
    const variants = Array.from({ length: 60 }, (_, index) => ({ id: `v${index}`, name: "x".repeat(255) }));
    await createIn(client, PRODUCTS, { id: "p-1", name: "Table", variants });
    await client.put(`${PRODUCTS}/p-1`, { unitPrice: 9.5 });
    const events = await world.owner.get(`${EVENTS}?subjectId=p-1`);
    const summary = { id: "p-1", name: "Table", truncated: true };
    assert.deepEqual(events.at("data.1.data"), { ...summary, fields: [] });
    assert.deepEqual(events.at("data.0.data"), { ...summary, fields: ["unitPrice"] });
    assert.deepEqual(Object(events.at("data.0.change")).fields, ["unitPrice"]);
  });

  it("writes no catalog event for a refused change", async (world) => {
    const client = await world.withKey({ scopes: ["WRITE_CUSTOMERS"] });
    await createIn(client, CUSTOMERS, { id: "c-1", name: "Bruno" });
    assertStatus(await client.post(CUSTOMERS, { id: "c-1", name: "Again" }), 409);
    assertStatus(await client.put(`${CUSTOMERS}/c-1`, { name: "x" }, { "if-match": '"v9"' }), 412);
    assert.equal((await world.owner.get(`${EVENTS}?subjectId=c-1`)).at("pagination.total"), 1);
  });

  const sent: SendRequest[] = [];
  const sender = {
    send: async (request: SendRequest) => {
      sent.push(request);
      const answer = { responseCode: 204, responseBody: "", retryAfterSeconds: null, durationMs: 1 };
      return { kind: "answered", ...answer } as const;
    },
  };
  it(
    "sends customer events to keys that may read customers, and not to those that read products alone",
    async ({ withKey, service, business }) => {
      sent.length = 0;
      await withKey({ scopes: ["READ_CUSTOMERS"], webhookUrl: "https://hooks.example/customers" });
      await withKey({ scopes: ["READ_PRODUCTS"], webhookUrl: "https://hooks.example/products" });
      (await service.customers.create(business, { id: "c-1", name: "Bruno" }))._unsafeUnwrap();
      await service.webhooks.tick();
      assert.deepEqual(
        sent.map(({ url }) => url),
        ["https://hooks.example/customers"],
      );
      const payload = JSON.parse(String(sent[0]?.body));
      assert.equal(payload.event, "customer.created");
      assert.equal(payload.data.name, "Bruno");
    },
    { service: { webhooks: { sender } } },
  );
}
