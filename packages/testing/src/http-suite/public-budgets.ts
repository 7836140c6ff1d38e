import assert from "node:assert/strict";
import { DAY_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import type { Client } from "./client.js";
import { aPublicBody, assertInvalid, assertRule, assertStatus, BUDGETS, createLink, FORM, HTML } from "./samples.js";
import { PUBLIC_BASE_URL } from "./world.js";

export function publicBudgetCases({ it }: HttpCases): void {
  for (const path of ["/api/budgets/public", "/budgets/public", "/api/public/budgets/public"]) {
    it(`public creation answers with the shape of the contract at ${path}`, async ({ full }) => {
      const created = assertStatus(await full.post(path, aPublicBody()), 201);
      created.assertAt({ success: true, publicUrl: `${PUBLIC_BASE_URL}/p/${created.text("publicToken")}` });
      const id = created.number("budgetId");
      assert.equal(created.headers["cache-control"], "no-store");
      const read = await full.get(`${BUDGETS}/${id}`);
      read.assertData({ id: String(id), customerId: "501", total: 1_210, tax: 210 });
      assert.equal(read.at("data.items.0.productId"), "700");
    });
  }

  it("public creation reports every missing required field (REQUIRED)", async ({ full }) => {
    const refused = await full.post("/api/budgets/public", {});
    assertInvalid(
      refused,
      ...["currency", "issueDate", "expirationDate", "customerId", "sellerId", "minimumPaymentToConfirm"].map(required),
      ...["subtotal", "total", "iva", "items"].map(required),
    );
  });

  it("public creation needs numeric ids and consistent totals (TOTALS_MISMATCH)", async ({ full }) => {
    const post = (overrides: Record<string, unknown>) => full.post("/budgets/public", aPublicBody(overrides));
    assertInvalid(await post({ customerId: "501" }), "customerId:INVALID_TYPE");
    assertInvalid(await post({ items: [] }), "items:MIN_LENGTH");
    assertRule(await post({ total: 1_300 }), "TOTALS_MISMATCH");
    assertRule(await post({ subtotal: 900, total: 1_110 }), "TOTALS_MISMATCH");
    assertRule(await post({ expirationDate: "2026-03-01" }), "VALIDITY_IN_THE_PAST");
  });

  it("public creation uses the business of the key, and refuses another one in the body, known or not (FORBIDDEN)", async (world) => {
    const { full, stranger, business, otherBusiness } = world;
    const post = (businessId: number | null) => stranger.post("/budgets/public", aPublicBody({ businessId }));
    const known = assertStatus(await post(Number(business.businessId)), 403);
    assert.equal(known.at("error"), "forbidden");
    assert.equal((await post(987_654)).body, known.body);
    assert.equal((await stranger.get(BUDGETS)).at("pagination.total"), 0);
    assert.equal((await full.get(BUDGETS)).at("pagination.total"), 0);
    assertStatus(await post(null), 201);
    const own = assertStatus(await post(Number(otherBusiness.businessId)), 201);
    assertStatus(await full.get(`${BUDGETS}/${own.number("budgetId")}`), 404);
    assertStatus(await stranger.get(`${BUDGETS}/${own.number("budgetId")}`), 200);
  });

  it("public creation refuses an issue after the expiration (ISSUED_AFTER_EXPIRATION)", async ({ full }) => {
    const post = (issueDate: string) => full.post("/budgets/public", aPublicBody({ issueDate }));
    assertRule(await post("2026-04-02"), "ISSUED_AFTER_EXPIRATION", "issueDate");
    assertStatus(await post("2026-04-01"), 201);
  });

  it("requires the tax rate once the base of the given tax changes (TAX_RATE_REQUIRED)", async ({ full }) => {
    const created = await full.post("/budgets/public", aPublicBody());
    const path = `${BUDGETS}/${created.number("budgetId")}`;
    const items = [{ id: (await full.get(path)).text("data.items.0.id"), quantity: 4 }];
    const refused = await full.put(path, { items });
    assertRule(refused, "TAX_RATE_REQUIRED");
    assert.match(refused.text("message"), /Send taxRate/);
    assert.deepEqual(
      ["field", "tax", "taxable"].map((name) => refused.at(`details.${name}`)),
      ["taxRate", 210, 1_000],
    );
    assert.equal((await full.get(path)).at("data.version"), 1);
    const changed = await full.put(path, { items, taxRate: 0.21 });
    assert.deepEqual(
      ["subtotal", "tax", "total"].map((name) => changed.at(`data.${name}`)),
      [2_000, 420, 2_420],
    );
  });

  it("the public link shows the budget to anyone, and no internal data", async ({ full, anonymous }) => {
    const shown = assertStatus(await anonymous.get(await createLink(full)), 200);
    shown.assertData({ total: 1_210, minimumPaymentToConfirm: 100, metadata: undefined, createdBy: undefined });
    assertPrivate(shown.headers);
  });

  it("the public link shows a page to a browser, escaped and without scripts", async ({ full, anonymous }) => {
    const link = await createLink(full, { comments: `<script>alert("1")</script> & 'more'` });
    const page = assertStatus(await anonymous.get(link, HTML), 200);
    assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
    assert.match(
      page.headers["content-security-policy"] ?? "",
      /^default-src 'none'; img-src 'self'; script-src 'self'; style-src 'sha256-/,
    );
    assert.doesNotMatch(page.body, /<script(?! src="\/v1\/p\/signature\.js" integrity=)/);
    assert.ok(page.body.includes("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;more&#39;"));
    assert.ok(page.body.includes(`action="/v1${link}/accept"`));
    assert.ok(page.body.includes('name="version" value="1"'));
    assertPrivate(page.headers);
  });

  it("reading the public link changes nothing, however often", async ({ full, anonymous }) => {
    const link = await createLink(full);
    const first = await anonymous.get(link);
    await anonymous.get(link, HTML);
    await anonymous.send("HEAD", link);
    assert.equal((await anonymous.get(link)).body, first.body);
    assertStatus(await anonymous.get(`${link}/accept`), 405);
  });

  it("accepts by a form and redirects to the page, so that loading the page again repeats nothing", async (world) => {
    const { full, anonymous } = world;
    const link = await createLink(full, { minimumPaymentToConfirm: 0 });
    const form = `version=1&hash=${(await anonymous.get(link)).text("data.hash")}&name=Ana+Mar%C3%ADa`;
    const answered = assertStatus(await anonymous.post(`${link}/accept`, form, { ...HTML, ...FORM }), 303);
    const back = new URL(answered.headers.location ?? "", `http://host/v1${link}/accept`).pathname;
    assert.equal(back, `/v1${link}`);
    const page = await anonymous.get(link, HTML);
    assert.ok(page.body.includes("Accepted"));
    assert.ok(!page.body.includes(`${link}/accept"`));
    assert.equal((await budgetOf(full)).at("data.0.status"), "APPROVED");
    const read = await full.get(`${BUDGETS}/${(await budgetOf(full)).text("data.0.id")}`);
    assert.equal(read.at("data.approvedBy"), "customer:Ana María");
  });

  it("declines by JSON, with a reason", async ({ full, anonymous }) => {
    const link = await createLink(full);
    const declined = await anonymous.post(`${link}/decline`, { version: 1, name: "Ana", reason: "Too dear" });
    assertStatus(declined, 200);
    declined.assertData({ status: "REJECTED", availableActions: [] });
  });

  it("refuses a second, different answer by the link (INVALID_TRANSITION)", async ({ full, anonymous }) => {
    const link = await createLink(full, { minimumPaymentToConfirm: 0 });
    assertStatus(await anonymous.post(`${link}/accept`, { version: 1 }), 200);
    assertRule(await anonymous.post(`${link}/decline`, { version: 2 }), "INVALID_TRANSITION");
  });

  it("refuses an answer to a version that is no longer stored (CONFLICT)", async ({ full, anonymous }) => {
    const link = await createLink(full);
    const id = (await budgetOf(full)).text("data.0.id");
    await full.put(`${BUDGETS}/${id}`, { notes: "Changed" });
    assertStatus(await anonymous.post(`${link}/accept`, { version: 1 }), 409);
    const page = assertStatus(await anonymous.post(`${link}/accept`, "version=1", { ...HTML, ...FORM }), 409);
    assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
    assert.ok(page.body.includes('name="version" value="2"'), "it is the page of the budget as it is now");
    assert.ok(page.body.includes("This quote changed while you answered."));
    assertStatus(await anonymous.post(`${link}/accept`, { version: 2 }), 200);
  });

  it("an answer by the link needs the version, a number in JSON (REQUIRED)", async ({ full, anonymous }) => {
    const link = await createLink(full);
    assertInvalid(await anonymous.post(`${link}/accept`, { name: "Ana" }), "version:REQUIRED");
    assertInvalid(await anonymous.post(`${link}/accept`, { version: "1" }), "version:INVALID_TYPE");
    assertInvalid(await anonymous.post(`${link}/accept`, "version=one", FORM), "version:INVALID_TYPE");
    assertInvalid(await anonymous.post(`${link}/accept`, "version=1&version=2", FORM), "version:INVALID_VALUE");
    assertInvalid(await anonymous.post(`${link}/accept`), ":REQUIRED");
  });

  it("the public link expires by the clock (INVALID_TRANSITION)", async ({ full, anonymous, clock }) => {
    const link = await createLink(full);
    clock.advance(60 * DAY_MS);
    assert.equal((await anonymous.get(link)).at("data.status"), "EXPIRED");
    assertRule(await anonymous.post(`${link}/accept`, { version: 2 }), "INVALID_TRANSITION");
  });

  it("finds no budget by an unknown or malformed token, nor a deleted one, alike (404)", async (world) => {
    const { full, anonymous } = world;
    const link = await createLink(full);
    await full.delete(`${BUDGETS}/${(await budgetOf(full)).text("data.0.id")}`);
    const replies = [
      await anonymous.get(link),
      await anonymous.get(`/p/${"A".repeat(43)}`),
      await anonymous.get("/p/short"),
      await anonymous.post(`${link}/accept`, { version: 1 }),
    ];
    for (const reply of replies) {
      assertStatus(reply, 404);
      assert.equal(reply.body, replies[0]?.body);
    }
    const page = assertStatus(await anonymous.get("/p/short", HTML), 404);
    assert.ok(page.body.startsWith("<!doctype html>"));
  });
}

function required(field: string): string {
  return `${field}:REQUIRED`;
}

function budgetOf(client: Client) {
  return client.get(BUDGETS);
}

function assertPrivate(headers: Readonly<Record<string, string>>): void {
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(headers["referrer-policy"], "no-referrer");
  assert.equal(headers["x-robots-tag"], "noindex");
  assert.match(headers.vary ?? "", /^Accept(, Accept-Language)?$/);
}
