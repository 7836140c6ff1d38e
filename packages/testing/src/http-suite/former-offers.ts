import assert from "node:assert/strict";
import { MINUTE_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import type { Client } from "./client.js";
import { aBudgetBody, approve, assertStatus, BUDGETS, linked } from "./samples.js";

export function formerOfferCases(cases: HttpCases): void {
  revisedCases(cases);
  acceptedCases(cases);
}

const TABLE = { description: "Oak table", quantity: 1, unitPrice: 450 };
const DELIVERY = { description: "Delivery to the door", quantity: 1, unitPrice: 45 };
const PLAIN = { taxRate: 0, items: [TABLE, DELIVERY] };

async function revise(client: Client, id: string, changes: Readonly<Record<string, unknown>>): Promise<void> {
  assertStatus(await client.put(`${BUDGETS}/${id}`, changes), 200);
}

function revisedCases({ it }: HttpCases): void {
  it("the public view says what a revision has changed", async ({ full, anonymous, clock }) => {
    const { id, link } = await linked(full, PLAIN);
    const before = await anonymous.get(link);
    assert.equal(before.at("data.revised"), undefined);
    clock.advance(MINUTE_MS);
    const chair = { description: "Chair", quantity: 4, unitPrice: 60 };
    await revise(full, id, { items: [{ ...TABLE, quantity: 2 }, chair] });
    const at = new Date(clock.now()).toISOString();
    const shown = await anonymous.get(link);
    assert.deepEqual(shown.at("data.revised"), {
      from: 1,
      to: 2,
      at,
      total: 645,
      lines: [
        { change: "changed", description: "Oak table", quantity: [1, 2] },
        { change: "added", description: "Chair" },
        { change: "removed", description: "Delivery to the door" },
      ],
    });
    const answer = { version: shown.at("data.version"), hash: shown.at("data.hash") };
    assertStatus(await anonymous.post(`${link}/accept`, answer), 200);
  });

  it("the public view lists no line that only has another id, and a revision of other texts without lines", async (world) => {
    const { full, anonymous } = world;
    const { id, link } = await linked(full, PLAIN);
    await revise(full, id, { items: PLAIN.items });
    assert.equal((await anonymous.get(link)).at("data.revised"), undefined);
    await revise(full, id, { notes: "In May" });
    (await anonymous.get(link)).assertData({ "revised.total": 0, "revised.lines": [] });
  });

  it("the public view compares with the last revision that the customer could see", async ({ full, anonymous }) => {
    const { id, link } = await linked(full, PLAIN);
    await full.post(`${BUDGETS}/${id}/withdraw`);
    await revise(full, id, { items: [{ ...TABLE, unitPrice: 500 }, DELIVERY] });
    await revise(full, id, { items: [{ ...TABLE, unitPrice: 400 }, DELIVERY] });
    await full.post(`${BUDGETS}/${id}/submit`);
    const shown = await anonymous.get(link);
    shown.assertData({ "revised.from": 1, "revised.to": 3, "revised.total": -50 });
    assert.deepEqual(shown.at("data.revised.lines"), [
      { change: "changed", description: "Oak table", unitPrice: [450, 400] },
    ]);
  });

  it("the public view compares with no revision from before the budget had a link", async ({ full, anonymous }) => {
    const created = await full.post(BUDGETS, aBudgetBody(PLAIN));
    const id = created.text("data.id");
    await revise(full, id, { items: [{ ...TABLE, unitPrice: 300 }, DELIVERY] });
    await revise(full, id, { items: [{ ...TABLE, unitPrice: 900 }, DELIVERY] });
    const link = `/p/${(await full.post(`${BUDGETS}/${id}/public-link`)).text("data.publicToken")}`;
    assert.equal((await anonymous.get(link)).at("data.revised"), undefined);
    await revise(full, id, { items: [{ ...TABLE, unitPrice: 800 }, DELIVERY] });
    (await anonymous.get(link)).assertData({ "revised.from": 3, "revised.to": 4, "revised.total": -100 });
  });

  it("the public view lists 20 changed lines at most", async ({ full, anonymous }) => {
    const { id, link } = await linked(full, PLAIN);
    const items = Array.from({ length: 30 }, (_, index) => ({ ...TABLE, description: `Table ${index}` }));
    await revise(full, id, { items });
    const lines = (await anonymous.get(link)).at("data.revised.lines");
    assert.ok(Array.isArray(lines));
    assert.equal(lines.length, 20);
  });
}

function acceptedCases({ it }: HttpCases): void {
  it("a reopened and revised budget still shows what its customer accepted, with the evidence", async (world) => {
    const { full, anonymous, clock } = world;
    const { id, link } = await linked(full, PLAIN);
    const acceptedAt = new Date(clock.now()).toISOString();
    await anonymous.post(`${link}/accept`, { version: 2, name: "Ana" });
    assert.equal((await anonymous.get(link)).at("data.acceptedBefore"), undefined);
    const evidence = await anonymous.get(`${link}/evidence.json`);
    clock.advance(MINUTE_MS);
    assertStatus(await full.post(`${BUDGETS}/${id}/reopen`, { reason: "Another wood" }), 200);
    const acceptedBefore = { revision: 1, total: 495, currency: "USD", acceptedAt, acceptedBy: "customer:Ana" };
    assert.deepEqual((await anonymous.get(link)).at("data.acceptedBefore"), acceptedBefore);
    assert.equal((await anonymous.get(link)).at("data.revised"), undefined);
    await revise(full, id, { items: [{ ...TABLE, unitPrice: 500 }] });
    await revise(full, id, { items: [{ ...TABLE, unitPrice: 520 }] });
    const shown = await anonymous.get(link);
    assert.deepEqual(shown.at("data.acceptedBefore"), acceptedBefore);
    assert.equal((await anonymous.get(`${link}/evidence.json`)).body, evidence.body);
    const answer = { version: shown.at("data.version"), hash: shown.at("data.hash") };
    const again = assertStatus(await anonymous.post(`${link}/accept`, answer), 200);
    assert.equal(again.at("data.acceptedBefore"), undefined);
  });

  it("the public view says when an offer was declined and why, until it is offered again", async (world) => {
    const { full, anonymous, clock } = world;
    const { id, link } = await linked(full, PLAIN);
    const declinedAt = new Date(clock.now()).toISOString();
    const before = (await anonymous.get(link)).at("data.hash");
    await anonymous.post(`${link}/decline`, { version: 2, name: "Ana", reason: "Too dear" });
    const declined = { declinedAt, declinedBy: "customer:Ana", reason: "Too dear" };
    assert.deepEqual((await anonymous.get(link)).at("data.declined"), declined);
    assert.equal((await anonymous.get(link)).at("data.hash"), before);
    assertStatus(await full.put(`${BUDGETS}/${id}`, { status: "PENDING" }), 200);
    assert.equal((await anonymous.get(link)).at("data.declined"), undefined);
    assertStatus(await full.put(`${BUDGETS}/${id}`, { status: "REJECTED" }), 200);
    const own = { declinedAt, declinedBy: "business" };
    assert.deepEqual((await anonymous.get(link)).at("data.declined"), own);
  });

  it("the public view names the business, and no user or key, for an acceptance that it recorded itself", async (world) => {
    const { full, anonymous } = world;
    const { id, link } = await linked(full, PLAIN);
    await approve(full, id);
    await full.post(`${BUDGETS}/${id}/reopen`, { reason: "Another wood" });
    (await anonymous.get(link)).assertData({ "acceptedBefore.acceptedBy": "business", "acceptedBefore.total": 495 });
  });

  it("the public view shows no acceptance that the customer took back", async ({ full, anonymous }) => {
    const made = await full.post("/api/budgets/public", {
      currency: "USD",
      issueDate: "2026-03-01",
      expirationDate: "2026-04-01",
      customerId: 501,
      sellerId: 7,
      minimumPaymentToConfirm: 100,
      subtotal: 500,
      total: 500,
      iva: 0,
      items: [{ productId: 700, quantity: 1, unitPrice: 500 }],
    });
    const link = `/p/${made.text("publicToken")}`;
    const path = `${BUDGETS}/${String(made.at("budgetId"))}`;
    assertStatus(await anonymous.post(`${link}/accept`, { version: 1, name: "Ana" }), 200);
    assertStatus(await full.put(path, { notes: "Ready in May" }), 200);
    (await anonymous.get(link)).assertData({
      "acceptedBefore.acceptedBy": "customer:Ana",
      "acceptedBefore.revision": 1,
    });
    const other = (await anonymous.get(link)).at("data.version");
    assertStatus(await anonymous.post(`${link}/accept`, { version: other, name: "Ana" }), 200);
    assertStatus(await anonymous.post(`${link}/decline`, { version: Number(other) + 1, name: "Ana" }), 200);
    assertStatus(await full.put(path, { status: "PENDING", notes: "Ready in April" }), 200);
    assert.equal((await anonymous.get(link)).at("data.acceptedBefore"), undefined);
  });
}
