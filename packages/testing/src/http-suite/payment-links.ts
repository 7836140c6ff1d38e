import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import {
  aPublicBody,
  approve,
  assertInvalid,
  assertStatus,
  assertWrong,
  BUDGETS,
  createBudget,
  linked,
} from "./samples.js";

const BUSINESS = "/api/developer/business";
const SHOP = "https://pay.example/norte";
const OWN = "https://pay.example/norte/42?reference=42";

export function paymentLinkCases(cases: HttpCases): void {
  paymentUrlCases(cases);
  linkPreviewCases(cases);
}

function paymentUrlCases({ it }: HttpCases): void {
  it("the page shows the payment link of the budget, else that of the business, else none", async (world) => {
    const { full, owner, anonymous } = world;
    const { id, link } = await linked(full);
    const shown = async () => (await anonymous.get(link)).at("data.paymentUrl");
    assert.ok(!("paymentUrl" in JSON.parse((await anonymous.get(link)).body).data));
    assertStatus(await owner.put(BUSINESS, { paymentUrl: SHOP }), 200).assertAt({ paymentUrl: SHOP });
    assert.equal(await shown(), SHOP);
    assertStatus(await full.put(`${BUDGETS}/${id}`, { paymentUrl: OWN }), 200).assertData({ paymentUrl: OWN });
    assert.equal(await shown(), OWN);
    (await full.put(`${BUDGETS}/${id}`, { paymentUrl: null })).assertData({ paymentUrl: undefined });
    assert.equal(await shown(), SHOP);
    assert.ok(!("paymentUrl" in JSON.parse((await owner.put(BUSINESS, { paymentUrl: null })).body)));
    assert.equal(await shown(), undefined);
  });

  it("a payment link comes with creation, lists, copies, revisions and their differences", async ({ full }) => {
    const id = await createBudget(full, { paymentUrl: OWN });
    (await full.get(`${BUDGETS}/${id}`)).assertData({ paymentUrl: OWN });
    assert.equal((await full.get(BUDGETS)).at("data.0.paymentUrl"), OWN);
    (await full.post(`${BUDGETS}/${id}/duplicate`)).assertData({ paymentUrl: OWN });
    await full.put(`${BUDGETS}/${id}`, { notes: "Second", paymentUrl: SHOP });
    (await full.get(`${BUDGETS}/${id}/revisions/1`)).assertData({ paymentUrl: OWN });
    const difference = await full.get(`${BUDGETS}/${id}/revisions/2/difference`);
    assert.deepEqual(difference.at("data.changes"), [
      { kind: "field", field: "notes", before: null, after: "Second" },
      { kind: "field", field: "paymentUrl", before: OWN, after: SHOP },
    ]);
    const offer = assertStatus(await full.post("/api/budgets/public", aPublicBody({ paymentUrl: OWN })), 201);
    (await full.get(`${BUDGETS}/${offer.number("budgetId")}`)).assertData({ paymentUrl: OWN });
  });

  it("a payment link is no part of the offer: it may change after the acceptance, and keeps hash and revision", async (world) => {
    const { full, owner, anonymous } = world;
    const { id, link } = await linked(full);
    const before = await anonymous.get(link);
    await approve(full, id);
    const changed = assertStatus(await full.put(`${BUDGETS}/${id}`, { paymentUrl: OWN }), 200);
    changed.assertData({ paymentUrl: OWN, revision: 1, status: "APPROVED" });
    await owner.put(BUSINESS, { paymentUrl: SHOP, linkPreview: { showsName: true } });
    assert.equal((await anonymous.get(link)).at("data.hash"), before.at("data.hash"));
    const log = await owner.get(`/api/developer/events?event=budget.updated&subjectId=${id}`);
    assert.deepEqual(log.at("data.0.change.fields"), ["paymentUrl"]);
  });

  const wrong = ["http://pay.example", "javascript:alert(1)", "https://", "https://a b.example", "", "pay.example", 5];
  it("refuses a payment link that is not an address with https, or is too long", async ({ full, owner }) => {
    for (const paymentUrl of [...wrong, `https://pay.example/${"x".repeat(2_048)}`]) {
      const isType = typeof paymentUrl !== "string";
      const code = isType ? "INVALID_TYPE" : paymentUrl.length > 2_048 ? "MAX_LENGTH" : "INVALID_FORMAT";
      const body = { customerId: "c", items: [{ description: "x", quantity: 1, unitPrice: 1 }], paymentUrl };
      assertInvalid(await full.post(BUDGETS, body), `paymentUrl:${code}`);
      assertWrong(await owner.put(BUSINESS, { paymentUrl }), "paymentUrl");
    }
  });
}

function linkPreviewCases({ it }: HttpCases): void {
  it("the page learns what previews of its link may name, and nothing by default", async ({
    owner,
    full,
    anonymous,
  }) => {
    const { link } = await linked(full);
    const shown = async () => JSON.parse((await anonymous.get(link)).body).data.business;
    assert.ok(!("linkPreview" in (await shown())));
    const set = assertStatus(await owner.put(BUSINESS, { linkPreview: { showsTotal: true } }), 200);
    set.assertAt({ linkPreview: { showsName: false, showsTotal: true } });
    assert.deepEqual((await shown()).linkPreview, { showsName: false, showsTotal: true });
    await owner.put(BUSINESS, { linkPreview: null });
    assert.ok(!("linkPreview" in (await shown())));
    assertWrong(await owner.put(BUSINESS, { linkPreview: { showsName: "yes" } }), "linkPreview.showsName");
  });
}
