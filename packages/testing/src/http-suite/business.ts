import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import { aBudgetBody, assertStatus, BUDGETS } from "./samples.js";
import { START } from "./world.js";

const BUSINESS = "/api/developer/business";

const PROFILE = {
  legalName: "Carpintería Norte S.R.L.",
  taxId: "30-71234567-1",
  address: "Av. Belgrano 1200\nSalta",
  email: "sales/eu@müller-bau.example",
  phone: "+54 387 555 0101",
  website: "https://norte.example/contact",
  accentColor: "#0b6e4f",
  locale: "es-AR",
  currency: "ARS",
  terms: "Half in advance.",
  paymentInstructions: "By transfer to the account 0001.",
  footer: "Thank you",
  numberPattern: "Q-{year}-{seq:4}",
};

const NO_PROFILE = Object.fromEntries([...Object.keys(PROFILE), "reminderDays"].map((field) => [field, null]));

/** Of a business that has set nothing. */
const MAILS = {
  customer: { accepted: true, newVersion: true, message: true },
  seller: { viewed: false, accepted: true, declined: true, asked: true, expiring: true, endpointDisabled: true },
};

export function businessCases({ it }: HttpCases): void {
  it("every user reads the profile of the business, which is empty at first", async ({ owner, member, business }) => {
    const read = assertStatus(await member.get(BUSINESS), 200);
    const { name, tier, ...rest } = JSON.parse(read.body);
    assert.deepEqual(rest, {
      id: business.businessId,
      version: 1,
      timeZone: "UTC",
      ...NO_PROFILE,
      mails: MAILS,
      requireSecondFactor: false,
      createdAt: START,
    });
    assert.equal(typeof name, "string");
    assert.equal(typeof tier, "string");
    assert.equal((await owner.get(BUSINESS)).body, read.body);
  });

  it("an update of the profile changes the given fields alone, and clears with null", async ({ owner, member }) => {
    const whole = { name: "Norte", timeZone: "America/Argentina/Salta", ...PROFILE };
    const set = assertStatus(await owner.put(BUSINESS, whole), 200);
    for (const [field, value] of Object.entries(whole)) assert.equal(set.at(field), value, field);
    assert.equal((await member.get(BUSINESS)).body, set.body);
    const changed = await owner.put(BUSINESS, { footer: null, phone: "+54 1" });
    const expected = { ...JSON.parse(set.body), footer: null, phone: "+54 1", version: 3 };
    assert.deepEqual(JSON.parse(changed.body), expected);
  });

  it("turns single mails on and off, refuses what is no setting, and null brings the defaults back", async ({
    owner,
  }) => {
    const set = assertStatus(await owner.put(BUSINESS, { mails: { seller: { viewed: true, asked: false } } }), 200);
    assert.deepEqual(set.at("mails"), { ...MAILS, seller: { ...MAILS.seller, viewed: true, asked: false } });
    const next = await owner.put(BUSINESS, { mails: { customer: { message: false } } });
    assert.deepEqual([next.at("mails.customer.message"), next.at("mails.seller.viewed")], [false, true]);
    for (const mails of [{ seller: { opened: true } }, { seller: { viewed: "yes" } }, { buyer: {} }, true]) {
      assertStatus(await owner.put(BUSINESS, { mails }), 400);
    }
    assert.deepEqual((await owner.put(BUSINESS, { mails: null })).at("mails"), MAILS);
    assert.deepEqual((await owner.get(BUSINESS)).at("mails"), MAILS);
  });

  it("writes a color in lower case and a language tag in canonical form", async ({ owner }) => {
    const set = await owner.put(BUSINESS, { accentColor: "#AbCdEf", locale: "es-ar" });
    assert.deepEqual([set.at("accentColor"), set.at("locale")], ["#abcdef", "es-AR"]);
  });

  it("keeps the version and writes no audit entry when nothing in the profile differs", async ({ owner }) => {
    await owner.put(BUSINESS, { phone: "1" });
    assert.equal((await owner.put(BUSINESS, { phone: "1" })).at("version"), 2);
    const log = await owner.get("/api/developer/events?event=business.updated");
    assert.equal(log.at("pagination.total"), 1);
    assert.deepEqual(JSON.parse(log.body).data[0].data.changes, { phone: { from: null, to: "1" } });
  });

  it("new budgets and previews without a currency use that of the business", async ({ owner, full }) => {
    const { currency: _, ...content } = aBudgetBody();
    assert.equal((await full.post(BUDGETS, content)).at("data.currency"), "USD");
    await owner.put(BUSINESS, { currency: "JPY" });
    assert.equal((await full.post(BUDGETS, content)).at("data.currency"), "JPY");
    assert.equal((await full.post(`${BUDGETS}/preview`, content)).at("data.currency"), "JPY");
    assert.equal((await full.post(BUDGETS, { ...content, currency: "ARS" })).at("data.currency"), "ARS");
  });

  it("changes the profile under If-Match only at the version that was read (412)", async ({ owner }) => {
    const etag = (await owner.get(BUSINESS)).headers.etag ?? "";
    assertStatus(await owner.put(BUSINESS, { phone: "1" }, { "if-match": etag }), 200);
    assertStatus(await owner.put(BUSINESS, { phone: "2" }, { "if-match": etag }), 412);
    assert.equal((await owner.get(BUSINESS)).at("phone"), "1");
  });

  const wrong = {
    name: ["", "x".repeat(256), null],
    timeZone: ["Mars/Olympus", null],
    accentColor: ["red", "#12345", "#1234567", "url(x)"],
    locale: ["not a tag", "e"],
    currency: ["usd", "XXY"],
    email: ["nobody", "a@b"],
    website: ["javascript:alert(1)", "//norte.example", "https://a b"],
    legalName: ["", 7],
    terms: ["x".repeat(10_001)],
  } as const;
  for (const [field, values] of Object.entries(wrong)) {
    it(`refuses a wrong ${field} in the profile, with the field`, async ({ owner }) => {
      for (const value of values) {
        const refused = assertStatus(await owner.put(BUSINESS, { [field]: value }), 400);
        assert.equal(refused.at("error.details.0.field"), field, String(value));
      }
      assert.equal((await owner.get(BUSINESS)).at("version"), 1);
    });
  }
}
