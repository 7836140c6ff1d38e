import assert from "node:assert/strict";
import { type HttpCases, withOptions } from "./cases.js";
import type { Reply } from "./client.js";
import { aBudgetBody, assertStatus, BUDGETS } from "./samples.js";
import { endpointAt, scriptedReceiver } from "./webhook-samples.js";
import type { World } from "./world.js";

const EVENTS = "/api/developer/events";
const MARK = "Xochitl";

/** A budget with its customer and a product, and an endpoint that has received their events. */
async function aBusyBusiness({ owner, service }: World): Promise<string> {
  const endpoint = await endpointAt(owner);
  const ana = { name: `Ana ${MARK}`, email: `${MARK}@example.com`, phone: "+52 55 1234", notes: MARK };
  const customer = assertStatus(await owner.post("/api/public/customers", ana), 201);
  assertStatus(await owner.put(`/api/public/customers/${customer.text("data.id")}`, { phone: "+52 55 9999" }), 200);
  assertStatus(await owner.post("/api/public/products", { name: "Oak table", sku: "OAK-1", unitPrice: 450 }), 201);
  const budget = { ...aBudgetBody(), customerId: customer.text("data.id"), notes: MARK };
  assertStatus(await owner.post(BUDGETS, budget), 201);
  await service.webhooks.tick();
  return endpoint;
}

function entriesOf(list: Reply): readonly unknown[] {
  const data = list.at("data");
  assert.ok(Array.isArray(data));
  return data;
}

export function memberReadCases(cases: HttpCases): void {
  const service = { memberScopes: ["READ_PRODUCTS"], webhooks: { sender: scriptedReceiver() } } as const;
  const { it } = withOptions(cases, { service });

  it("the event log hides events of customers and budgets from a MEMBER without READ_CUSTOMERS and READ_BUDGETS", async (world) => {
    const { member, owner } = world;
    await aBusyBusiness(world);
    const list = assertStatus(await member.get(`${EVENTS}?limit=100`), 200);
    const types = entriesOf(list).map((_, index) => list.text(`data.${index}.event`));
    assert.ok(types.includes("product.created") && types.includes("webhook.created"), types.join(", "));
    assert.deepEqual(
      types.filter((type) => /^(?:customer|budget|mail|reminders)\./.test(type)),
      [],
    );
    assert.equal(list.at("pagination.total"), types.length);
    assert.ok(!list.body.includes(MARK) && !list.body.includes("+52"), list.body);
    for (const [type, scope] of [
      ["customer.created", "READ_CUSTOMERS"],
      ["budget.created", "READ_BUDGETS"],
      ["mail.queued", "READ_BUDGETS"],
    ] as const) {
      const refused = assertStatus(await member.get(`${EVENTS}?event=${type}`), 403);
      assert.match(refused.text("error.message"), new RegExp(scope));
      assertStatus(await owner.get(`${EVENTS}?event=${type}`), 200);
    }
    assert.ok((await owner.get(`${EVENTS}?limit=100`)).body.includes(MARK));
  });

  it("deliveries of hidden events show a MEMBER neither payload nor response", async (world) => {
    const { member, owner } = world;
    const path = `${await aBusyBusiness(world)}/deliveries?limit=100`;
    const [seen, whole] = [await member.get(path), await owner.get(path)];
    assertStatus(seen, 200);
    assert.equal(seen.at("pagination.total"), whole.at("pagination.total"));
    assert.ok(whole.body.includes(MARK) && !seen.body.includes(MARK) && !seen.body.includes("+52"), seen.body);
    for (const [index] of entriesOf(seen).entries()) {
      const isProduct = seen.text(`data.${index}.event`).startsWith("product.");
      const expected = isProduct ? whole.at(`data.${index}.payload`) : {};
      assert.deepEqual(seen.at(`data.${index}.payload`), expected);
      if (!isProduct) assert.equal(seen.at(`data.${index}.attempts.0.responseBody`), null);
    }
  });

  it("refuses the dashboard to a MEMBER without READ_BUDGETS, since it has figures of budgets (FORBIDDEN)", async (world) => {
    const { member, owner } = world;
    const refused = assertStatus(await member.get("/api/developer/dashboard/stats"), 403);
    assert.match(refused.text("error.message"), /READ_BUDGETS/);
    assertStatus(await owner.get("/api/developer/dashboard/stats"), 200);
  });

  it("refuses the sales to a MEMBER without READ_BUDGETS (FORBIDDEN)", async ({ member, owner }) => {
    const refused = assertStatus(await member.get("/api/developer/sales"), 403);
    assert.match(refused.text("error.message"), /READ_BUDGETS/);
    assertStatus(await owner.get("/api/developer/sales"), 200);
  });
}
