import assert from "node:assert/strict";
import { DAY_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import type { Client } from "./client.js";
import {
  aPublicBody,
  assertInvalid,
  assertReplay,
  assertRule,
  assertStatus,
  BUDGETS,
  createBudget,
  createLink,
  FORM,
  HTML,
} from "./samples.js";
import { START } from "./world.js";

const TRANSFER = { amount: 60, reference: "transfer 4711" };
const TABLE = [{ description: "Oak table", quantity: 1, unitPrice: 100 }]; // 121 with its tax

export function paymentCases(cases: HttpCases): void {
  recordCases(cases);
  confirmationCases(cases);
}

function recordCases({ it }: HttpCases): void {
  it("records payments with their actor, and adds them up", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    const recorded = assertStatus(await full.post(`${path}/payments`, { ...TRANSFER, paidAt: "2026-03-01" }), 201);
    assert.deepEqual(JSON.parse(recorded.body), {
      data: {
        id: recorded.text("data.id"),
        budgetId: path.slice(BUDGETS.length + 1),
        reference: "transfer 4711",
        amount: 60,
        currency: "USD",
        paidAt: "2026-03-01T00:00:00.000Z",
        createdAt: START,
        createdBy: `key:${full.id}`,
      },
    });
    assertStatus(await full.post(`${path}/payments`, { amount: 0.15, reference: "cash" }), 201);
    (await full.get(path)).assertData({ paid: 60.15, acceptance: null, version: 3 });
    assert.equal((await full.get(BUDGETS)).at("data.0.paid"), 60.15);
  });

  it("records a payment once for a reference: 201, then 200 with the same, 409 with anything else (CONFLICT)", async (world) => {
    const { full, clock } = world;
    const path = `${BUDGETS}/${await createBudget(full)}/payments`;
    const first = assertStatus(await full.post(path, TRANSFER), 201);
    clock.advance(DAY_MS);
    for (const body of [TRANSFER, { ...TRANSFER, paidAt: START }]) {
      assert.equal(assertStatus(await full.post(path, body), 200).body, first.body);
    }
    for (const body of [
      { ...TRANSFER, amount: 61 },
      { ...TRANSFER, paidAt: "2026-03-01" },
    ]) {
      assert.equal(assertStatus(await full.post(path, body), 409).at("error"), "conflict");
    }
    assert.equal((await full.get(path)).at("pagination.total"), 1);
  });

  it("records a payment once, however many requests send it concurrently", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}/payments`;
    const replies = await Promise.all(Array.from({ length: 20 }, () => full.post(path, TRANSFER)));
    assert.equal(replies.filter(({ status }) => status === 201).length, 1);
    assert.equal(replies.filter(({ status }) => status === 200).length, 19);
    assert.equal(new Set(replies.map(({ body }) => body)).size, 1);
  });

  it("records all of many concurrent payments", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => full.post(`${path}/payments`, { amount: 1, reference: `t${index}` })),
    );
    for (const reply of replies) assertStatus(reply, 201);
    assert.equal((await full.get(path)).at("data.paid"), 20);
  });

  it("repeats a payment for its Idempotency-Key only (IDEMPOTENCY_KEY_REUSED)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}/payments`;
    const key = { "idempotency-key": "payment-1" };
    const first = await full.post(path, TRANSFER, key);
    const again = assertStatus(await full.post(path, TRANSFER, key), 201);
    assertReplay(first, again);
    assertRule(await full.post(path, { ...TRANSFER, reference: "other" }, key), "IDEMPOTENCY_KEY_REUSED");
    const otherKey = assertStatus(await full.post(path, TRANSFER, { "idempotency-key": "payment-2" }), 200);
    assert.equal(otherKey.headers["idempotent-replayed"], undefined);
  });

  it("concurrent payments with one reference settle all their idempotency keys", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}/payments`;
    const keys = Array.from({ length: 8 }, (_, index) => ({ "idempotency-key": `payment-${index}` }));
    const raced = await Promise.all(keys.map((key) => full.post(path, TRANSFER, key)));
    assert.deepEqual(raced.map(({ status }) => status).sort(), [...Array(7).fill(200), 201]);
    for (const [index, key] of keys.entries()) {
      const again = await full.post(path, TRANSFER, key);
      assert.equal(again.status, raced[index]?.status);
      assert.equal(again.body, raced[index]?.body);
    }
  });

  it("lists payments newest first, in pages", async ({ full, reader }) => {
    const path = `${BUDGETS}/${await createBudget(full)}/payments`;
    for (const reference of ["a", "b", "c"]) await full.post(path, { amount: 1, reference });
    const page = assertStatus(await reader.get(`${path}?limit=2`), 200);
    assert.deepEqual([page.at("data.0.reference"), page.at("data.1.reference")], ["c", "b"]);
    assert.deepEqual([page.at("pagination.total"), page.at("pagination.hasMore")], [3, true]);
    assert.equal((await reader.get(`${path}?limit=2&page=2`)).at("data.0.reference"), "a");
    assertInvalid(await reader.get(`${path}?limit=101`), "limit:MAX_VALUE");
  });

  const wrong: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ amount: undefined }, "amount:REQUIRED"],
    [{ amount: "60" }, "amount:INVALID_TYPE"],
    [{ amount: 0 }, "amount:MIN_VALUE"],
    [{ amount: -0.01 }, "amount:MIN_VALUE"],
    [{ amount: 0.001 }, "amount:INVALID_FORMAT"],
    [{ reference: undefined }, "reference:REQUIRED"],
    [{ reference: 4711 }, "reference:INVALID_TYPE"],
    [{ reference: "" }, "reference:MIN_LENGTH"],
    [{ reference: "r".repeat(256) }, "reference:MAX_LENGTH"],
    [{ paidAt: "2026-02-30" }, "paidAt:INVALID_FORMAT"],
    [{ paidAt: "2026-03-01 10:00:00" }, "paidAt:INVALID_FORMAT"],
  ];
  for (const [overrides, error] of wrong) {
    it(`refuses a payment with ${JSON.stringify(overrides).slice(0, 60)}`, async ({ full }) => {
      const path = `${BUDGETS}/${await createBudget(full)}/payments`;
      assertInvalid(await full.post(path, { ...TRANSFER, ...overrides }), error);
    });
  }

  it("refuses payments in the future or for a draft (PAID_IN_THE_FUTURE, NOT_PAYABLE)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}/payments`;
    assertRule(await full.post(path, { ...TRANSFER, paidAt: "2026-03-03" }), "PAID_IN_THE_FUTURE");
    assertRule(await full.post(path, { ...TRANSFER, amount: 1e15 }), "AMOUNT_TOO_LARGE");
    const draft = `${BUDGETS}/${await createBudget(full, { draft: true })}/payments`;
    assertRule(await full.post(draft, TRANSFER), "NOT_PAYABLE");
  });

  it("refuses a payment above the open amount, with the figures (PAYMENT_EXCEEDS_TOTAL)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full, { items: TABLE })}`;
    const refused = await full.post(`${path}/payments`, { amount: 5_000, reference: "too much" });
    assertRule(refused, "PAYMENT_EXCEEDS_TOTAL");
    assert.deepEqual([refused.at("details.total"), refused.at("details.open")], [121, 121]);
    assertStatus(await full.post(`${path}/payments`, { amount: 121, reference: "all" }), 201);
    assertRule(await full.post(`${path}/payments`, { amount: 0.01, reference: "more" }), "PAYMENT_EXCEEDS_TOTAL");
    assertStatus(await full.post(`${path}/payments`, { amount: 121, reference: "all" }), 200);
    assertRule(await full.put(path, { discountAmount: 1 }), "PAYMENT_EXCEEDS_TOTAL");
    assert.equal((await full.get(path)).at("data.paid"), 121);
  });

  it("refuses concurrent payments that do not fit together (PAYMENT_EXCEEDS_TOTAL)", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full, { items: TABLE })}`;
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) => full.post(`${path}/payments`, { amount: 50, reference: `t${index}` })),
    );
    assert.equal(replies.filter(({ status }) => status === 201).length, 2);
    for (const reply of replies) if (reply.status !== 201) assertRule(reply, "PAYMENT_EXCEEDS_TOTAL");
    assert.equal((await full.get(path)).at("data.paid"), 100);
  });

  it("payments disappear with a deleted budget, and return with it", async ({ full }) => {
    const path = `${BUDGETS}/${await createBudget(full)}`;
    await full.post(`${path}/payments`, TRANSFER);
    await full.delete(path);
    assertStatus(await full.post(`${path}/payments`, TRANSFER), 404);
    assertStatus(await full.get(`${path}/payments`), 404);
    assert.equal((await full.post(`${path}/restore`)).at("data.paid"), 60);
  });
}

function confirmationCases({ it }: HttpCases): void {
  it("an accepted budget stays PENDING until payments reach the minimum, and is then APPROVED", async (world) => {
    const { full, anonymous, owner, clock } = world;
    await owner.get("/api-keys"); // creates the user, which is an event as well
    const { link, path } = await offered(full);
    const accepted = assertStatus(await anonymous.post(`${link}/accept`, { version: 1, name: "Ana" }), 200);
    accepted.assertData({ status: "PENDING", acceptance: { acceptedAt: START, acceptedBy: "customer:Ana" } });
    assert.deepEqual(accepted.at("data.availableActions"), ["decline"]);
    clock.advance(1_000);
    await full.post(`${path}/payments`, TRANSFER);
    (await full.get(path)).assertData({ status: "PENDING", "acceptance.acceptedBy": "customer:Ana" });
    assert.equal((await anonymous.get(link)).at("data.dueToConfirm"), 40);
    clock.advance(1_000);
    await full.post(`${path}/payments`, { amount: 40, reference: "transfer 4712" });
    const approved = await full.get(path);
    approved.assertData({ status: "APPROVED", approvedBy: "customer:Ana" });
    approved.assertData({ approvedAt: "2026-03-02T12:00:02.000Z", acceptance: null, paid: 100 });
    const events = await owner.get("/api/developer/events");
    const types = [0, 1, 2, 3, 4].map((index) => events.text(`data.${index}.event`));
    const updated = "budget.updated";
    assert.deepEqual(types, ["budget.approved", updated, updated, updated, "budget.created"]);
    events.assertData({ "3.change.fields": ["acceptance"], "1.change.fields": ["paid"] });
  });

  it("approves a budget at its acceptance when enough was paid before", async ({ full, anonymous }) => {
    const { link, path } = await offered(full);
    await full.post(`${path}/payments`, { amount: 100, reference: "in advance" });
    (await anonymous.post(`${link}/accept`, { version: 2 })).assertData({ status: "APPROVED", paid: 100 });
  });

  it("shows the acceptance and the amount due on the page (ALREADY_ACCEPTED)", async ({ full, anonymous }) => {
    const { link, path } = await offered(full);
    assertStatus(await anonymous.post(`${link}/accept`, "version=1&name=Ana", { ...HTML, ...FORM }), 303);
    await full.post(`${path}/payments`, TRANSFER);
    const page = (await anonymous.get(link, HTML)).body.replace(/[\u00a0\u202f]/g, " ");
    assert.ok(page.includes("Accepted by Ana on March 2, 2026 at 12:00 PM UTC."));
    assert.ok(page.includes("another ARS 40.00"));
    assert.ok(!page.includes(`${link}/accept"`));
    assert.ok(page.includes(`${link}/decline"`));
    assertRule(await anonymous.post(`${link}/accept`, { version: 3 }), "ALREADY_ACCEPTED");
  });

  it("the customer may decline before the payment, and payments stay", async ({ full, anonymous }) => {
    const { link, path } = await offered(full);
    await anonymous.post(`${link}/accept`, { version: 1 });
    (await anonymous.post(`${link}/decline`, { version: 2 })).assertData({ status: "REJECTED", acceptance: null });
    await full.post(`${path}/payments`, { ...TRANSFER, amount: 100 });
    assert.equal((await full.get(path)).at("data.status"), "REJECTED");
  });

  it("a change of content removes the acceptance while it waits", async ({ full, anonymous }) => {
    const { link, path } = await offered(full);
    await anonymous.post(`${link}/accept`, { version: 1 });
    assert.equal((await full.put(path, { notes: "Other terms" })).at("data.acceptance"), null);
    await full.post(`${path}/payments`, { ...TRANSFER, amount: 100 });
    assert.equal((await full.get(path)).at("data.status"), "PENDING");
    assert.equal((await anonymous.post(`${link}/accept`, { version: 4 })).at("data.status"), "APPROVED");
  });

  it("a lower price keeps the acceptance, and approves the budget when it leaves nothing due", async (world) => {
    const { full, anonymous, owner, clock } = world;
    const { link, path } = await offered(full);
    await anonymous.post(`${link}/accept`, { version: 1, name: "Ana" });
    await full.post(`${path}/payments`, TRANSFER);
    const cheaper = await full.put(path, { taxRate: 0.21, discountAmount: 100 });
    assert.equal(cheaper.at("data.acceptance.acceptedBy"), "customer:Ana");
    assert.equal((await anonymous.get(link)).at("data.dueToConfirm"), 40);
    clock.advance(1_000);
    const approved = await full.put(path, { taxRate: 0.2, discountAmount: 950 });
    approved.assertData({ status: "APPROVED", total: 60, approvedBy: "customer:Ana" });
    approved.assertData({ approvedAt: "2026-03-02T12:00:01.000Z", acceptance: null, revision: 3 });
    const events = await owner.get(`/api/developer/events?subjectId=${path.split("/").at(-1)}`);
    assert.deepEqual([events.at("data.0.event"), events.at("data.1.event")], ["budget.approved", "budget.updated"]);
  });

  it("never asks for more than the total to confirm a budget (MINIMUM_ABOVE_TOTAL)", async ({ full, anonymous }) => {
    const refused = await full.post("/api/budgets/public", aPublicBody({ minimumPaymentToConfirm: 1_210.01 }));
    assertRule(refused, "MINIMUM_ABOVE_TOTAL", "minimumPaymentToConfirm");
    assertStatus(await full.post("/api/budgets/public", aPublicBody({ minimumPaymentToConfirm: 1_210 })), 201);
    const { link, path } = await offered(full);
    await full.put(path, { taxRate: 0, discountAmount: 950 });
    const shown = await anonymous.get(link);
    assert.deepEqual([shown.at("data.dueToConfirm"), shown.at("data.minimumPaymentToConfirm")], [50, 50]);
  });

  it("the business can approve an accepted budget with any amount paid", async ({ full, anonymous }) => {
    const { link, path } = await offered(full);
    await anonymous.post(`${link}/accept`, { version: 1, name: "Ana" });
    (await full.put(path, { status: "APPROVED" })).assertData({ approvedBy: `key:${full.id}`, acceptance: null });
  });
}

/** A budget of which 100 have to be paid, by its link and by its path. */
async function offered(client: Client): Promise<{ link: string; path: string }> {
  const link = await createLink(client);
  return { link, path: `${BUDGETS}/${(await client.get(BUDGETS)).text("data.0.id")}` };
}
