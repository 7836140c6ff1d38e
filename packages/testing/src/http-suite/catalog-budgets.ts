import assert from "node:assert/strict";
import { type HttpCases, withOptions } from "./cases.js";
import { CUSTOMERS, createIn, PACKAGES, PRODUCTS } from "./catalog-kinds.js";
import type { Reply } from "./client.js";
import { aPublicBody, assertRule, assertStatus, BUDGETS, createBudget } from "./samples.js";
import type { World } from "./world.js";

const EVENTS = "/api/developer/events";

const keyOf = ({ withKey }: World) =>
  withKey({ scopes: ["READ_BUDGETS", "WRITE_BUDGETS", "WRITE_CUSTOMERS", "WRITE_PRODUCTS", "READ_PRODUCTS"] });

export function catalogBudgetCases(cases: HttpCases): void {
  summaryCases(cases);
  packageCases(cases);
  strictCases(withOptions(cases, { service: { references: "strict" } }));
}

function summaryCases({ it }: HttpCases): void {
  it("a budget shows the present data of customer and product, deleted or not", async (world) => {
    const client = await keyOf(world);
    const customer = { id: "c-1", name: "Bruno", email: "b@example.com", phone: "+54" };
    await createIn(client, CUSTOMERS, customer);
    await createIn(client, PRODUCTS, { id: "p-1", name: "Table", sku: "T" });
    const items = [{ productId: "p-1", description: "Table", quantity: 1, unitPrice: 10 }];
    const path = `${BUDGETS}/${await createBudget(client, { items })}`;
    await client.put(`${CUSTOMERS}/c-1`, { name: "Bruno Díaz" });
    await client.delete(`${CUSTOMERS}/c-1`);
    await client.delete(`${PRODUCTS}/p-1`);
    const read = await client.get(path);
    assert.deepEqual(read.at("data.customer"), { ...customer, name: "Bruno Díaz" });
    assert.deepEqual(read.at("data.items.0.product"), { id: "p-1", name: "Table", sku: "T" });
    const listed = await client.get(BUDGETS);
    assert.deepEqual(listed.at("data.0.customer"), { id: "c-1", name: "Bruno Díaz", email: "b@example.com" });
  });

  it("a budget shows a variant's name and sku where an item names one", async (world) => {
    const client = await keyOf(world);
    const variants = [
      { id: "red", name: "Shirt, red", sku: "SH-R" },
      { id: "blue", name: "Shirt, blue" },
    ];
    await createIn(client, PRODUCTS, { id: "p-1", name: "Shirt", sku: "SH", variants });
    const items = ["red", "blue", "gone"].map((variantId) => ({
      productId: "p-1",
      variantId,
      description: "A shirt",
      quantity: 1,
      unitPrice: 10,
    }));
    const read = await client.get(`${BUDGETS}/${await createBudget(client, { items })}`);
    assert.deepEqual(read.at("data.items.0.product"), { id: "p-1", name: "Shirt, red", sku: "SH-R" });
    assert.deepEqual(read.at("data.items.1.product"), { id: "p-1", name: "Shirt, blue", sku: "SH" });
    assert.deepEqual(read.at("data.items.2.product"), { id: "p-1", name: "Shirt", sku: "SH" });
  });

  it("budget events contain the customer", async (world) => {
    const client = await keyOf(world);
    await createIn(client, CUSTOMERS, { id: "c-1", name: "Bruno" });
    await createBudget(client);
    const events = await world.owner.get(`${EVENTS}?event=budget.created`);
    assert.deepEqual(events.at("data.0.data.customer"), { id: "c-1", name: "Bruno", email: null });
  });
}

function packageCases({ it }: HttpCases): void {
  const fill = async (world: World) => {
    const client = await keyOf(world);
    await createIn(client, PRODUCTS, { id: "700", name: "Table", sku: "T", unitPrice: 400, currency: "ARS" });
    await createIn(client, PRODUCTS, { id: "701", name: "Chair", unitPrice: 50, currency: "ARS" });
    const items = [
      { productId: "700", quantity: 1 },
      { productId: "701", quantity: 2 },
    ];
    await createIn(client, PACKAGES, { id: "800", name: "Dining room", currency: "ARS", items });
    return client;
  };
  const snapshot = {
    id: "800",
    name: "Dining room",
    price: 500,
    currency: "ARS",
    items: [
      { productId: "700", variantId: null, name: "Table", sku: "T", unitPrice: 400, quantity: 1 },
      { productId: "701", variantId: null, name: "Chair", sku: null, unitPrice: 50, quantity: 2 },
    ],
  };

  it("a public creation describes items by their catalog names, at the sent price", async (world) => {
    const client = await fill(world);
    const items = [
      { packageId: 800, quantity: 1, unitPrice: 480 },
      { productId: 700, quantity: 1, unitPrice: 420 },
      { productId: 999, quantity: 1, unitPrice: 50 },
      { packageId: 998, quantity: 1, unitPrice: 50 },
    ];
    const created = assertStatus(await client.post("/api/budgets/public", aPublicBody({ items })), 201);
    const read = await client.get(`${BUDGETS}/${created.number("budgetId")}`);
    const shown = [0, 1, 2, 3].map((index) => read.at(`data.items.${index}.description`));
    assert.deepEqual(shown, ["Dining room", "Table", "Product 999", "Package 998"]);
    read.assertData({ "items.0.unitPrice": 480, "items.0.packageId": "800", "items.0.package": snapshot });
    assert.equal(read.at("data.items.3.package"), undefined);
    const link = await world.anonymous.get(`/p/${created.text("publicToken")}`);
    assert.equal(link.at("data.items.0.description"), "Dining room");
  });

  it("a budget keeps a package as it was when an item first named it", async (world) => {
    const client = await fill(world);
    const items = [{ packageId: "800", description: "All of it", quantity: 1, unitPrice: 1 }];
    const created = assertStatus(await client.post(BUDGETS, { customerId: "c-1", items }), 201);
    const path = `${BUDGETS}/${created.text("data.id")}`;
    await client.put(`${PRODUCTS}/700`, { name: "Other", unitPrice: 1 });
    await client.put(`${PACKAGES}/800`, { name: "Changed", items: [{ productId: "701", quantity: 9 }] });
    await client.delete(`${PACKAGES}/800`);
    assert.deepEqual((await client.get(path)).at("data.items.0.package"), snapshot);
    await client.put(path, { items: [{ id: created.text("data.items.0.id"), quantity: 2 }] });
    assert.deepEqual((await client.get(path)).at("data.items.0.package"), snapshot);
    const copy = await client.post(`${path}/duplicate`);
    assert.deepEqual((await client.get(`${BUDGETS}/${copy.text("data.id")}`)).at("data.items.0.package"), snapshot);
    assert.equal((await client.get(BUDGETS)).at("data.0.items.0.package"), undefined);
    await client.put(path, { items: [{ id: created.text("data.items.0.id"), packageId: null }] });
    assert.equal((await client.get(path)).at("data.items.0.package"), undefined);
  });
}

function strictCases({ it }: HttpCases): void {
  const item = { description: "Shirt", quantity: 1, unitPrice: 10 };
  const fill = async (world: World) => {
    const client = await keyOf(world);
    await createIn(client, CUSTOMERS, { id: "c-1", name: "Bruno" });
    await createIn(client, PRODUCTS, { id: "700", name: "Shirt", variants: [{ id: "red", name: "Shirt, red" }] });
    await createIn(client, PACKAGES, { id: "800", name: "Three shirts", items: [{ productId: "700", quantity: 3 }] });
    for (const id of ["gone", "theirs"]) {
      const actor = id === "gone" ? world.business : world.otherBusiness;
      (await world.service.customers.create(actor, { id, name: id }))._unsafeUnwrap();
      (await world.service.products.create(actor, { id, name: id }))._unsafeUnwrap();
      const items = [{ productId: id, quantity: 1 }];
      (await world.service.packages.create(actor, { id, name: id, items }))._unsafeUnwrap();
    }
    for (const path of [PACKAGES, PRODUCTS, CUSTOMERS]) assertStatus(await client.delete(`${path}/gone`), 200);
    return client;
  };
  const assertUnknown = (reply: Reply, field: string) => {
    assertRule(reply, "UNKNOWN_REFERENCE", field);
  };

  it("strict references refuse unknown, foreign and deleted ones, in creation and update (UNKNOWN_REFERENCE)", async (world) => {
    const client = await fill(world);
    const good = [
      { ...item, productId: "700", variantId: "red" },
      { ...item, packageId: "800" },
    ];
    const created = assertStatus(await client.post(BUDGETS, { customerId: "c-1", items: good }), 201);
    const path = `${BUDGETS}/${created.text("data.id")}`;
    for (const id of ["none", "gone", "theirs"]) {
      assertUnknown(await client.post(BUDGETS, { customerId: id, items: [item] }), "customerId");
      for (const [reference, field] of [
        [{ productId: id }, "productId"],
        [{ productId: "700", variantId: id }, "variantId"],
        [{ variantId: "red" }, "variantId"],
        [{ packageId: id }, "packageId"],
      ] as const) {
        const items = [item, { ...item, ...reference }];
        assertUnknown(await client.post(BUDGETS, { customerId: "c-1", items }), `items[1].${field}`);
        assertUnknown(await client.put(path, { items }), `items[1].${field}`);
      }
    }
  });

  it("strict references refuse unknown ones in a public creation (UNKNOWN_REFERENCE)", async (world) => {
    const client = await fill(world);
    await createIn(client, CUSTOMERS, { id: "501", name: "Ana" });
    const create = (overrides: Readonly<Record<string, unknown>>) =>
      client.post("/budgets/public", aPublicBody(overrides));
    assertStatus(await create({}), 201);
    assertUnknown(await create({ customerId: 502 }), "customerId");
    assertUnknown(await create({ items: [{ productId: 1, quantity: 2, unitPrice: 500 }] }), "items[0].productId");
    assertUnknown(await create({ items: [{ packageId: 1, quantity: 2, unitPrice: 500 }] }), "items[0].packageId");
  });

  it("strict references let a budget keep what was deleted since, but refuse a copy (UNKNOWN_REFERENCE)", async (world) => {
    const client = await fill(world);
    const created = await client.post(BUDGETS, { customerId: "c-1", items: [{ ...item, productId: "700" }] });
    const path = `${BUDGETS}/${created.text("data.id")}`;
    assertStatus(await client.post(`${path}/duplicate`), 201);
    await client.delete(`${PRODUCTS}/700`);
    const kept = { id: created.text("data.items.0.id"), quantity: 2 };
    assertStatus(await client.put(path, { items: [kept], notes: "still" }), 200);
    assertUnknown(await client.post(`${path}/duplicate`), "items[0].productId");
    await client.delete(`${CUSTOMERS}/c-1`);
    assertStatus(await client.put(path, { items: [kept], notes: "and still" }), 200);
    assertUnknown(await client.post(`${path}/duplicate`), "customerId");
  });
}
