import assert from "node:assert/strict";
import { type HttpCases, withOptions } from "./cases.js";
import type { Client } from "./client.js";
import {
  aBudgetBody,
  aPublicBody,
  assertInvalid,
  assertReplay,
  assertRule,
  assertStatus,
  BUDGETS,
  linked,
} from "./samples.js";
import type { World } from "./world.js";

const CUSTOMERS = "/api/public/customers";
const PUBLIC = "/api/budgets/public";
const BRUNO = {
  name: "Bruno",
  email: "bruno@example.org",
  cuit: "20-12345678-6",
  address: "Norte 1\nSalta",
  phone: "+54",
};

const keyOf = ({ withKey }: World) =>
  withKey({ scopes: ["READ_BUDGETS", "WRITE_BUDGETS", "READ_CUSTOMERS", "WRITE_CUSTOMERS"] });

/** A creation with the customer in place of its id. */
const withCustomer = (customer: object, overrides = {}) =>
  aBudgetBody({ customerId: undefined, customer, ...overrides });
const offerTo = (customer: object) => aPublicBody({ customerId: undefined, customer });

async function countCustomers(client: Client): Promise<unknown> {
  return (await client.get(CUSTOMERS)).at("pagination.total");
}

export function inlineCustomerCases(cases: HttpCases): void {
  creationCases(cases);
  refusalCases(cases);
  raceCases(cases);
}

function creationCases({ it }: HttpCases): void {
  it("creates a customer with its budget, customer.created before budget.created", async (world) => {
    const client = await keyOf(world);
    const created = assertStatus(await client.post(BUDGETS, withCustomer(BRUNO)), 201);
    const id = created.text("data.customerId");
    created.assertData({ customer: { id, name: "Bruno", email: BRUNO.email }, status: "PENDING" });
    (await client.get(`${CUSTOMERS}/${id}`)).assertData({ ...BRUNO, cuit: "20123456786", version: 1 });
    const newest = async (event: string) => world.owner.get(`/api/developer/events?event=${event}`);
    const [customer, budget] = [await newest("customer.created"), await newest("budget.created")];
    customer.assertAt({ "pagination.total": 1, "data.0.subjectId": id });
    budget.assertAt({ "pagination.total": 1, "data.0.sequence": customer.number("data.0.sequence") + 1 });
    budget.assertAt({ "data.0.data.customer": { id, name: "Bruno", email: BRUNO.email } });
  });

  it("finds the customer by the email in any case, and leaves the customer as it is", async (world) => {
    const client = await keyOf(world);
    const known = await client.post(CUSTOMERS, { id: "b", ...BRUNO });
    const other = { name: "Other", email: "BRUNO@Example.ORG", phone: "9" };
    const created = assertStatus(await client.post(BUDGETS, withCustomer(other)), 201);
    created.assertData({ customerId: "b", "customer.name": "Bruno" });
    assert.equal((await client.get(`${CUSTOMERS}/b`)).body, known.body);
    assert.equal(await countCustomers(client), 1);
  });

  it("public creation makes a customer too, whose name, address and tax number the page shows", async (world) => {
    const client = await keyOf(world);
    const created = assertStatus(await client.post(PUBLIC, offerTo(BRUNO)), 201);
    const shown = await world.anonymous.get(`/p/${created.text("publicToken")}`);
    shown.assertData({ customer: { name: "Bruno", address: BRUNO.address, taxId: "20123456786" } });
    for (const hidden of [BRUNO.email, BRUNO.phone]) assert.ok(!shown.body.includes(hidden));
    assert.equal(await countCustomers(client), 1);
  });

  it("a correction of the customer's address keeps the hash of what is offered, one of the name does not", async (world) => {
    const client = await keyOf(world);
    const { id, link } = await linked(client, { customerId: undefined, customer: BRUNO });
    const { anonymous } = world;
    const before = await anonymous.get(link);
    const path = `${CUSTOMERS}/${(await client.get(`${BUDGETS}/${id}`)).text("data.customerId")}`;
    await client.put(path, { address: "Sur 2", cuit: null });
    const after = await anonymous.get(link);
    after.assertData({ customer: { name: "Bruno", address: "Sur 2" }, hash: before.at("data.hash") });
    await client.put(path, { name: "Bruno Díaz" });
    assert.notEqual((await anonymous.get(link)).at("data.hash"), before.at("data.hash"));
  });

  it("repeats a creation with an inline customer under its Idempotency-Key, without a second customer", async (world) => {
    const client = await keyOf(world);
    const key = { "idempotency-key": "order-4711" };
    const body = withCustomer({ name: "Ana" });
    const first = assertStatus(await client.post(BUDGETS, body, key), 201);
    assertReplay(first, await client.post(BUDGETS, body, key));
    assert.equal(await countCustomers(client), 1);
  });

  it("a copy is for the customer that was created with the budget", async (world) => {
    const client = await keyOf(world);
    const created = await client.post(BUDGETS, withCustomer(BRUNO));
    const copy = await client.post(`${BUDGETS}/${created.text("data.id")}/duplicate`);
    copy.assertData({ customerId: created.at("data.customerId"), "customer.name": "Bruno" });
    assert.equal(await countCustomers(client), 1);
  });

  it("a preview checks an inline customer and creates none", async (world) => {
    const client = await keyOf(world);
    assertStatus(await client.post(`${BUDGETS}/preview`, withCustomer(BRUNO)), 200);
    const wrong = await client.post(`${BUDGETS}/preview`, withCustomer({ name: "" }));
    assertInvalid(wrong, "customer.name:MIN_LENGTH");
    assert.equal(await countCustomers(client), 0);
  });
}

function refusalCases(cases: HttpCases): void {
  const { it } = cases;
  it("refuses an inline customer beside customerId and with faults, by their paths (400)", async (world) => {
    const client = await keyOf(world);
    const post = (customer: object, overrides = {}) => client.post(BUDGETS, withCustomer(customer, overrides));
    assertInvalid(await post(BRUNO, { customerId: "c-1" }), "customer:INVALID_VALUE");
    assertInvalid(await post({ ...BRUNO, email: "bruno" }), "customer.email:INVALID_FORMAT");
    assertInvalid(await post({ ...BRUNO, name: "x".repeat(256) }), "customer.name:MAX_LENGTH");
    assertInvalid(await post({ email: BRUNO.email }, { items: [] }), "customer.name:REQUIRED", "items:MIN_LENGTH");
    assertInvalid(await post({ ...BRUNO, mail: "x" }), "customer:INVALID_VALUE");
    assertInvalid(await client.post(PUBLIC, aPublicBody({ customer: BRUNO })), "customer:INVALID_VALUE");
    assert.equal(await countCustomers(client), 0);
  });

  it("reports a creation without any customer as before, among other faults (REQUIRED)", async ({ full }) => {
    const body = { customer: null, items: [], currency: 1 };
    assertInvalid(await full.post(BUDGETS, body), "customerId:REQUIRED", "items:MIN_LENGTH", "currency:INVALID_TYPE");
  });

  it("needs the scope WRITE_CUSTOMERS for a new customer, and READ_CUSTOMERS for a known one (403)", async (world) => {
    const client = await keyOf(world);
    const { full } = world;
    for (const refused of [
      await full.post(BUDGETS, withCustomer(BRUNO)),
      await full.post(PUBLIC, offerTo(BRUNO)),
      await full.post(`${BUDGETS}/preview`, withCustomer(BRUNO)),
    ]) {
      assert.match(assertStatus(refused, 403).text("message"), /WRITE_CUSTOMERS/);
    }
    assert.equal((await full.get(BUDGETS)).at("pagination.total"), 0);
    await client.post(CUSTOMERS, BRUNO);
    assertStatus(await full.post(BUDGETS, withCustomer(BRUNO)), 403); // as before: nothing tells that the email is known
    const reader = await world.withKey({ scopes: ["WRITE_BUDGETS", "READ_CUSTOMERS"] });
    assertStatus(await reader.post(BUDGETS, withCustomer(BRUNO)), 201);
  });

  it("refuses the cuit of another customer, and writes neither budget nor customer (409)", async (world) => {
    const client = await keyOf(world);
    await client.post(CUSTOMERS, { ...BRUNO, email: null });
    const refused = assertStatus(await client.post(BUDGETS, withCustomer(BRUNO)), 409);
    assert.equal(refused.at("details.field"), "customer.cuit");
    assert.equal((await client.get(BUDGETS)).at("pagination.total"), 0);
    assert.equal(await countCustomers(client), 1);
  });

  it("finds no customer of another business", async (world) => {
    const client = await keyOf(world);
    const own = await client.post(BUDGETS, withCustomer(BRUNO));
    const { service, otherBusiness } = world;
    const made = await service.budgets.create(otherBusiness, {
      customer: BRUNO,
      items: [{ description: "x", quantity: 1, unitPrice: 1 }],
    });
    assert.notEqual(made._unsafeUnwrap().customerId, own.at("data.customerId"));
  });

  withOptions(cases, { service: { quotas: { budgets: 1 } } }).it(
    "a budget above the quota adds no customer either (QUOTA_EXCEEDED)",
    async (world) => {
      const client = await keyOf(world);
      assertStatus(await client.post(BUDGETS, withCustomer({ name: "Ana" })), 201);
      assertRule(await client.post(BUDGETS, withCustomer(BRUNO)), "QUOTA_EXCEEDED");
      assert.equal(await countCustomers(client), 1);
    },
  );
}

function raceCases({ it }: HttpCases): void {
  it("one of many budgets created at the same time for a new email creates the customer, and all are for it", async (world) => {
    const client = await keyOf(world);
    const customer = { name: "Bruno", email: BRUNO.email };
    const made = await Promise.all(Array.from({ length: 8 }, () => client.post(BUDGETS, withCustomer(customer))));
    const ids = made.map((reply) => assertStatus(reply, 201).text("data.customerId"));
    assert.equal(new Set(ids).size, 1);
    assert.equal(await countCustomers(client), 1);
    const events = await world.owner.get("/api/developer/events?event=customer.created");
    assert.equal(events.at("pagination.total"), 1);
  });
}
