import assert from "node:assert/strict";
import { DAY_MS, HOUR_MS, MINUTE_MS, type RateLimitStore } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { aPublicBody, assertStatus, BUDGETS, FORM, HTML, linked } from "./samples.js";

export function publicLinkCases(cases: HttpCases): void {
  queryCases(cases);
  repeatedAnswerCases(cases);
  limitCases(cases);
  readingCases(cases);
}

const TRACKERS = "utm_source=mail&utm_source=news&fbclid=%00&__proto__=a&%ED%A0%80=b";
const QUERIES = [
  ["unknown parameters, some of them twice", TRACKERS, "Quote"],
  ["more than 100 parameters", Array.from({ length: 150 }, (_, index) => `p${index}=1`).join("&"), "Quote"],
  ["a second language", "lang=es&lang=pt", "Presupuesto"],
  ["a language that is too long, before one that fits", `lang=${"x".repeat(36)}&lang=es`, "Presupuesto"],
  ["a channel that is too long", `c=${"x".repeat(2_000)}`, "Quote"],
  ["a channel with forbidden characters", "c=%00", "Quote"],
  ["a choice that does not exist", "reminders=off", "Quote"],
] as const;

function queryCases({ it }: HttpCases): void {
  for (const [name, query, title] of QUERIES) {
    it(`a public link ignores ${name} in its query`, async ({ full, anonymous, send }) => {
      const { link } = await linked(full);
      const page = assertStatus(await anonymous.get(`${link}?${query}`, HTML), 200);
      assert.ok(page.body.includes(`<title>${title}`));
      for (const path of ["unsubscribe", "evidence.json", "seen.svg", "logo"]) {
        const loaded = await send({ method: "GET", path: `/v1${link}/${path}?${query}`, headers: {}, body: null });
        assert.notEqual(loaded.status, 400, path);
      }
      assert.notEqual((await anonymous.get(`${link}.pdf?${query}`)).status, 400);
      const answer = { version: 2, name: "Ana" };
      for (const path of ["unsubscribe", "decline"]) {
        assertStatus(await anonymous.post(`${link}/${path}?${query}`, answer), 200);
      }
    });
  }
}

const ANSWERS = [
  ["acceptance", "accept", { reason: "As agreed" }, "budget.approved", "APPROVED"],
  ["refusal", "decline", { reason: "Too late" }, "budget.rejected", "REJECTED"],
  ["request for a change", "request-change", { message: "In pine" }, "budget.change_requested", "PENDING"],
] as const;

const OTHER_PARTS = [
  { reason: "Another reason" },
  { reason: null },
  { hash: "0".repeat(64) },
  { signature: "M 1 1 L 2 2" },
] as const;

function repeatedAnswerCases({ it }: HttpCases): void {
  for (const [name, path, given, event, status] of ANSWERS) {
    it(`repeats the answer to a repeated ${name} by the link, and records it once`, async (world) => {
      const { full, owner, anonymous } = world;
      const { id, link } = await linked(full);
      const body = { version: 2, name: "Ana", ...given };
      const both = await Promise.all([
        anonymous.post(`${link}/${path}`, body),
        anonymous.post(`${link}/${path}`, body),
      ]);
      const retried = await anonymous.post(`${link}/${path}`, body);
      for (const reply of [...both, retried]) {
        assertStatus(reply, 200);
        assert.equal(reply.body, both[0]?.body);
        assert.equal(reply.headers.etag, both[0]?.headers.etag);
      }
      assert.equal(retried.at("data.status"), status);
      const form = new URLSearchParams(
        Object.entries(body).map(([field, value]): [string, string] => [field, String(value)]),
      );
      assertStatus(await anonymous.post(`${link}/${path}`, form.toString(), { ...HTML, ...FORM }), 303);
      const events = await owner.get(`/api/developer/events?event=${event}&subjectId=${id}`);
      assert.equal(events.at("pagination.total"), 1);
    });

    it(`refuses another answer than the first ${name}, or to another version`, async ({ full, anonymous }) => {
      const { link } = await linked(full);
      const body = { version: 2, ...given };
      assertStatus(await anonymous.post(`${link}/${path}`, body), 200);
      const others = ANSWERS.filter(([, other]) => other !== path).map(([, other, fields]) => [other, fields] as const);
      for (const [other, fields] of [
        ...others,
        [path, { ...given, name: "Bea" }],
        [path, { ...given, version: 1 }],
        ...("reason" in given ? OTHER_PARTS.map((parts) => [path, parts] as const) : []),
      ] as const) {
        assertStatus(await anonymous.post(`${link}/${other}`, { ...body, ...fields }), 409);
      }
      if ("message" in given) {
        assertStatus(await anonymous.post(`${link}/${path}`, { ...body, message: "In oak" }), 409);
      }
    });
  }

  it("refuses a repeated answer once the business gave the same one, or deleted and restored the budget (CONFLICT)", async (world) => {
    const { full, anonymous } = world;
    const { id, link } = await linked(full);
    assertStatus(await anonymous.post(`${link}/decline`, { version: 2 }), 200);
    for (const status of ["PENDING", "REJECTED"]) assertStatus(await full.put(`${BUDGETS}/${id}`, { status }), 200);
    assertStatus(await anonymous.post(`${link}/decline`, { version: 2 }), 409);
    const other = await linked(full);
    assertStatus(await anonymous.post(`${other.link}/accept`, { version: 2 }), 200);
    assertStatus(await full.delete(`${BUDGETS}/${other.id}`), 200);
    assertStatus(await full.post(`${BUDGETS}/${other.id}/restore`), 200);
    assertStatus(await anonymous.post(`${other.link}/accept`, { version: 2 }), 409);
  });

  it("refuses a repeated change request once a new revision answered it, or the budget expired (CONFLICT)", async (world) => {
    const { full, anonymous, clock } = world;
    const wish = { version: 2, message: "In pine" };
    const { id, link } = await linked(full);
    assertStatus(await anonymous.post(`${link}/request-change`, wish), 200);
    assertStatus(await full.put(`${BUDGETS}/${id}`, { metadata: { seen: true } }), 200);
    assertStatus(await anonymous.post(`${link}/request-change`, wish), 200);
    assertStatus(await full.put(`${BUDGETS}/${id}`, { notes: "In pine" }), 200);
    assertStatus(await anonymous.post(`${link}/request-change`, wish), 409);
    const expiring = await linked(full);
    assertStatus(await full.put(`${BUDGETS}/${expiring.id}`, { validUntil: "2026-12-31" }), 200);
    wish.version = (await anonymous.get(expiring.link)).number("data.version");
    assertStatus(await anonymous.post(`${expiring.link}/request-change`, wish), 200);
    clock.advance(400 * DAY_MS);
    assertStatus(await anonymous.post(`${expiring.link}/request-change`, wish), 409);
  });

  it("answers a repeated answer with the present budget, while that answer stands", async ({ full, anonymous }) => {
    const { id, link } = await linked(full);
    const accept = () => anonymous.post(`${link}/accept`, { version: 2, name: "Ana" });
    assertStatus(await accept(), 200);
    assertStatus(await full.post(`${BUDGETS}/${id}/payments`, { amount: 10, reference: "a" }), 201);
    assert.deepEqual([(await accept()).at("data.status"), (await accept()).at("data.paid")], ["APPROVED", 10]);
  });

  it("refuses a repeated answer once the budget is reopened (CONFLICT)", async ({ full, anonymous }) => {
    const { id, link } = await linked(full);
    const body = { version: 2, name: "Ana" };
    assertStatus(await anonymous.post(`${link}/accept`, body), 200);
    assertStatus(await full.post(`${BUDGETS}/${id}/reopen`, { reason: "A mistake" }), 200);
    assertStatus(await anonymous.post(`${link}/accept`, body), 409);
    assertStatus(await anonymous.post(`${link}/decline`, { ...body, version: 4 }), 200);
    assertStatus(await full.put(`${BUDGETS}/${id}`, { status: "PENDING" }), 200);
    assertStatus(await anonymous.post(`${link}/decline`, { ...body, version: 4 }), 409);
  });

  it("accepts a repeated acceptance before and after the payment it waits for", async ({ full, anonymous }) => {
    const created = await full.post("/api/budgets/public", aPublicBody({ minimumPaymentToConfirm: 100 }));
    const link = `/p/${created.text("publicToken")}`;
    const version = (await anonymous.get(link)).number("data.version");
    const accept = () => anonymous.post(`${link}/accept`, { version, name: "Ana" });
    assertStatus(await accept(), 200);
    assert.equal((await accept()).at("data.acceptance.acceptedBy"), "customer:Ana");
    assertStatus(
      await full.post(`${BUDGETS}/${created.number("budgetId")}/payments`, { amount: 100, reference: "a" }),
      201,
    );
    assert.equal((await accept()).at("data.approval.acceptedBy"), "customer:Ana");
  });
}

/** A limiter whose minute is full for each subject that begins so. */
function fullFor(prefix: string): RateLimitStore {
  return {
    consume: async (subject, _windows, now) => {
      const freesAt = now + MINUTE_MS;
      return { used: 600, freesAt, refusal: subject.startsWith(prefix) ? { window: 1, freesAt } : null };
    },
    countConsumed: async () => 0,
    pruneWindows: async () => 0,
  };
}

function limitCases({ it }: HttpCases): void {
  it(
    "limits reads of public links with 429, but neither answers nor the first end of reminders",
    async ({ full, anonymous, send, clock }) => {
      const { link } = await linked(full);
      const refused = [
        await anonymous.get(link),
        await anonymous.get(`${link}/evidence.json`),
        await anonymous.get(`${link}.pdf`),
        await anonymous.post(`${link}/unsubscribe?reminders=on`),
        await anonymous.post(`/p/${"A".repeat(43)}/unsubscribe`),
        await anonymous.post(`/p/${"A".repeat(43)}/accept`, { version: 2, name: "Ana" }),
      ];
      for (const reply of refused) {
        assertStatus(reply, 429);
        const resetAt = new Date(clock.now() + MINUTE_MS).toISOString();
        assert.deepEqual(reply.at("details"), { limit: 600, remaining: 0, resetAt });
        assert.equal(reply.headers["retry-after"], "60");
      }
      const page = assertStatus(await anonymous.get(link, HTML), 429);
      assert.equal(page.headers["retry-after"], "60");
      assert.match(page.body, /<h1>Too many requests<\/h1>/);
      assertStatus(await anonymous.post(`${link}/unsubscribe`), 200);
      assertStatus(await anonymous.post(`${link}/unsubscribe`), 429);
      assertStatus(await anonymous.post(`${link}/accept`, { version: 2, name: "Ana" }), 200);
      assert.equal((await send({ method: "GET", path: `/v1${link}/seen.svg`, headers: {}, body: null })).status, 200);
    },
    { service: { rateLimits: fullFor("link:network:"), trustedProxies: ["127.0.0.1"] } },
  );

  it(
    "limits answers by public links with 429, but no reads",
    async ({ full, anonymous }) => {
      const { link } = await linked(full);
      for (const [, path, given] of ANSWERS) {
        assertStatus(await anonymous.post(`${link}/${path}`, { version: 2, ...given }), 429);
      }
      assertStatus(await anonymous.get(link), 200);
    },
    { service: { rateLimits: fullFor("link:answer:"), trustedProxies: ["127.0.0.1"] } },
  );
}

function readingCases({ it }: HttpCases): void {
  it("audits who read the public link: once an hour, and not when the link is created", async (world) => {
    const { full, owner, stranger, clock } = world;
    const { id } = await linked(full);
    const path = `${BUDGETS}/${id}/public-link`;
    const entries = () => owner.get("/api/developer/events?event=public_link.read");
    assert.equal((await entries()).at("pagination.total"), 0);
    assertStatus(await owner.get(path), 200);
    assertStatus(await full.post(path), 200);
    const { documentBytes } = await world.store.measureStorage(world.business.businessId);
    for (const _ of [1, 2, 3]) for (const reader of [owner, full]) assertStatus(await reader.get(path), 200);
    assert.equal((await world.store.measureStorage(world.business.businessId)).documentBytes, documentBytes);
    assertStatus(await stranger.get(path), 404);
    const found = await entries();
    found.assertAt({ "pagination.total": 2, "data.0.actor": `key:${full.id}`, "data.0.subjectId": id });
    assert.match(found.text("data.1.actor"), /^user:/);
    clock.advance(HOUR_MS);
    assertStatus(await full.get(path), 200);
    assertStatus(await full.get(`${BUDGETS}/${(await linked(full)).id}/public-link`), 200);
    const total = async () => {
      const listed = await world.service.events.list(world.business, { event: "public_link.read" }); // no session ends here
      return listed._unsafeUnwrap().pagination.total;
    };
    assert.equal(await total(), 4);
    assertStatus(await full.delete(path), 200);
    assertStatus(await full.get(path), 404);
    assert.equal(await total(), 4);
  });
}
