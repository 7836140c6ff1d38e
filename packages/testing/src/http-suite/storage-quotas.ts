import assert from "node:assert/strict";
import { upload } from "./attachments.js";
import { type HttpCases, withOptions } from "./cases.js";
import type { Reply } from "./client.js";
import { someBytes } from "./forms.js";
import { aBudgetBody, aPublicBody, assertRule, assertStatus, BUDGETS, createBudget, createLink } from "./samples.js";

const PRODUCTS = "/api/public/products";

function assertQuota(reply: Reply, details: Readonly<Record<string, unknown>>): void {
  assertRule(reply, "QUOTA_EXCEEDED");
  for (const [name, value] of Object.entries(details)) assert.equal(reply.at(`details.${name}`), value, name);
}

export function storageQuotaCases(cases: HttpCases): void {
  const { it } = withOptions(cases, { service: { quotas: { bytes: 16_000 } } });
  const twoBudgets = { service: { quotas: { budgets: 2 } } };

  it(
    "limits the number of budgets of a business, deleted ones included, however they are created (QUOTA_EXCEEDED)",
    async ({ full, stranger, service, business }) => {
      const id = await createBudget(full);
      assertStatus(await full.post("/api/budgets/public", aPublicBody()), 201);
      const key = { "idempotency-key": "once" };
      for (const refused of [
        await full.post(BUDGETS, aBudgetBody(), key),
        await full.post("/api/budgets/public", aPublicBody()),
        await full.post(`${BUDGETS}/${id}/duplicate`),
      ]) {
        assertQuota(refused, { resource: "budgets", limit: 2, used: 2 });
      }
      assertStatus(await full.delete(`${BUDGETS}/${id}`), 200);
      assertQuota(await full.post(BUDGETS, aBudgetBody(), key), { used: 2 });
      await createBudget(stranger);
      const storage = await service.businesses.storage(business.businessId);
      assert.deepEqual(storage?.budgets, { used: 2, limit: 2 });
    },
    twoBudgets,
  );

  it("limits the bytes of a business: refuses additions, but no payments, answers and deletions (QUOTA_EXCEEDED)", async (world) => {
    const { full, anonymous, service, business } = world;
    const id = await createBudget(full);
    const link = await createLink(full);
    await createBudget(full, { notes: "n".repeat(6_000) });
    const refused = await full.post(BUDGETS, aBudgetBody({ notes: "n".repeat(9_000) }));
    assertQuota(refused, { resource: "bytes", limit: 16_000 });
    assert.ok(Number(refused.at("details.used")) < 16_000);
    assertQuota(await full.put(`${BUDGETS}/${id}`, { notes: "n".repeat(9_000) }), { resource: "bytes" });
    assertQuota(await upload(full, id, someBytes(9_000)), { resource: "bytes" });
    assert.equal((await full.get(`${BUDGETS}/${id}/attachments`)).at("pagination.total"), 0);
    const used = (await service.businesses.storage(business.businessId))?.bytes.used;
    assert.equal(refused.at("details.used"), used);
    for (let count = 1; count <= 20; count += 1) {
      const payment = { amount: 1, reference: `payment ${count}` };
      assertStatus(await full.post(`${BUDGETS}/${id}/payments`, payment), 201);
    }
    assertQuota(await full.put(`${BUDGETS}/${id}`, { metadata: { a: 1 } }), { resource: "bytes" });
    assertStatus(await anonymous.post(`${link}/decline`, { version: 1, name: "Ana" }), 200);
    assertStatus(await full.delete(`${BUDGETS}/${id}`), 200);
  });

  it("refuses additions to the catalog once the bytes are used up, but no deletion (QUOTA_EXCEEDED)", async (world) => {
    const { withKey, service, business, stranger } = world;
    const client = await withKey({ scopes: ["READ_PRODUCTS", "WRITE_PRODUCTS"] });
    const product = { name: "Oak table", description: "d".repeat(1_900) };
    const created = assertStatus(await client.post(PRODUCTS, product), 201);
    const path = `${PRODUCTS}/${created.text("data.id")}`;
    const isFull = async () => {
      const storage = await service.businesses.storage(business.businessId);
      assert.ok(storage !== null && storage.bytes.limit !== null);
      return storage.bytes.used >= storage.bytes.limit;
    };
    for (let count = 0; count < 20 && !(await isFull()); count += 1) {
      assertStatus(await client.put(path, { description: String(count).repeat(900) }), 200);
    }
    assertQuota(await client.put(path, { name: "Ash table" }), { resource: "bytes", limit: 16_000 });
    assertQuota(await client.post(PRODUCTS, product), { resource: "bytes" });
    assertStatus(await client.delete(path), 200);
    assertQuota(await client.post(`${path}/restore`), { resource: "bytes" });
    assertStatus(await stranger.get(BUDGETS), 200);
  });

  it(
    "accepts a file again after another was removed (QUOTA_EXCEEDED)",
    async ({ full }) => {
      const id = await createBudget(full);
      const first = assertStatus(await upload(full, id, someBytes(20_000)), 201);
      assertQuota(await upload(full, id, someBytes(20_000)), { resource: "bytes", limit: 35_000 });
      assertStatus(await full.delete(`${BUDGETS}/${id}/attachments/${first.text("data.id")}`), 200);
      assertStatus(await upload(full, id, someBytes(20_000)), 201);
    },
    { service: { quotas: { bytes: 35_000 } } },
  );
}
