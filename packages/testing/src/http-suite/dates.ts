import assert from "node:assert/strict";
import type { HttpCases } from "./cases.js";
import type { Reply } from "./client.js";
import { assertInvalid, assertStatus, BUDGETS, createBudget, createLink } from "./samples.js";
import type { World } from "./world.js";

const MOMENT = "2026-04-01T09:30:00.000Z";

const FORMS = [
  "2026-04-01T09:30:00Z",
  "2026-04-01T09:30:00.000Z",
  "2026-04-01t09:30:00z",
  "2026-04-01T06:30:00-03:00",
  "2026-04-01T06:30:00-0300",
  "2026-04-01T06:30:00-03",
  "2026-04-01T09:30:00+0000",
  "2026-04-01T09:30:00+00",
  "2026-04-01T09:30Z",
  "2026-04-01T09:30+00",
  "2026-04-01T09:30:00",
  "2026-04-01T09:30",
];

const OTHER_TEXT = ["tomorrow", "", "1775035800", "01/04/2026", "2026-04-31", "2026-04-01 09:30", "2026-04-01T24:00Z"];
const OTHER_YEARS = ["1999-12-31", "2200-01-01", "2200-01-01T00:00:00Z"];

export function dateCases({ it }: HttpCases): void {
  it("reads dates in every form, in a body and in a query", async ({ full, clock }) => {
    for (const form of FORMS) {
      const id = await createBudget(full, { validUntil: form });
      assert.equal((await full.get(`${BUDGETS}/${id}`)).at("data.validUntil"), MOMENT, form);
    }
    clock.set(MOMENT);
    await createBudget(full, { customerId: "dated" });
    for (const form of FORMS) {
      const bounds = `createdAfter=${encodeURIComponent(form)}&createdBefore=${encodeURIComponent(form)}`;
      assert.equal((await full.get(`${BUDGETS}?customerId=dated&${bounds}`)).at("pagination.total"), 1, form);
    }
    assert.equal((await full.get(`${BUDGETS}?createdAfter=2199-12-31T23:59:59.999Z`)).at("pagination.total"), 0);
  });

  it("reads dates without an offset as local times and days of the business", async (world) => {
    const { client, owner } = await businessIn(world, "Asia/Tokyo");
    const id = await createBudget(client, { validUntil: "2026-04-01T18:30" });
    const path = `${BUDGETS}/${id}`;
    assert.equal((await client.get(path)).at("data.validUntil"), MOMENT);
    const day = await client.put(path, { validUntil: "2026-04-01" });
    assert.equal(day.at("data.validUntil"), "2026-04-01T14:59:59.999Z");
    const payment = await client.post(`${path}/payments`, {
      amount: 1,
      reference: "first",
      paidAt: "2026-03-02T20:59:59",
    });
    assert.equal(payment.at("data.paidAt"), "2026-03-02T11:59:59.000Z");
    // Made at 12:00 UTC, which is 21:00 in Tokyo.
    for (const [bounds, total] of [
      ["createdAfter=2026-03-02T21:00", 1],
      ["createdAfter=2026-03-02T21:00:00.001", 0],
      ["createdBefore=2026-03-02T21:00", 1],
      ["createdBefore=2026-03-02T20:59", 0],
    ] as const) {
      assert.equal((await client.get(`${BUDGETS}?${bounds}`)).at("pagination.total"), total, bounds);
    }
    for (const [bounds, total] of [
      ["since=2026-03-02T21:00", 1],
      ["since=2026-03-02T21:00:00.001", 0],
      ["until=2026-03-02T20:59", 0],
      ["until=2026-03-02", 1],
      ["since=2026-03-03", 0],
    ] as const) {
      const events = await owner.get(`/api/developer/events?event=budget.created&${bounds}`);
      assert.equal(events.at("pagination.total"), total, bounds);
    }
  });

  it("a budget expires for every reader at validUntil, before maintenance writes it", async (world) => {
    const { full, owner, anonymous, clock, service } = world;
    const validUntil = "2026-03-03T08:00:00.000Z";
    const id = await createBudget(full, { validUntil, notes: "Late oak" });
    await createBudget(full, { draft: true });
    const link = await createLink(full, { expirationDate: "2026-03-03T09:00" });
    clock.set("2026-03-04T00:00:00.000Z");
    const read = async () => {
      const replies: Reply[] = [];
      for (const path of [
        `/${id}`,
        `/${id}/revisions`,
        `/${id}/revisions/1`,
        ...["", "?status=EXPIRED", "?status=PENDING", "?sort=status&limit=2", "?search=late&status=EXPIRED"],
      ]) {
        replies.push(await full.get(`${BUDGETS}${path}`));
      }
      replies.push(await anonymous.get(link), await owner.get("/api/developer/dashboard/stats?period=1h"));
      return replies.map(({ status, body, headers }) => ({ status, body: shownOf(body), etag: headers.etag }));
    };
    const before = await read();
    const expired = await full.get(`${BUDGETS}?status=EXPIRED&search=late`);
    expired.assertAt({ "pagination.total": 1, "data.0.updatedAt": validUntil });
    await service.tick();
    assert.deepEqual(await read(), before);
    const events = await owner.get(`/api/developer/events?event=budget.expired&subjectId=${id}`);
    events.assertAt({ "pagination.total": 1, "data.0.timestamp": validUntil });
  });

  it("refuses wrong dates with their field (INVALID_FORMAT)", async ({ full, owner }) => {
    for (const text of [...OTHER_TEXT, ...OTHER_YEARS]) {
      const body = { customerId: "c", items: [{ description: "a", quantity: 1, unitPrice: 1 }], validUntil: text };
      assertInvalid(await full.post(BUDGETS, body), "validUntil:INVALID_FORMAT");
      const inQuery = encodeURIComponent(text);
      assertInvalid(await full.get(`${BUDGETS}?createdAfter=${inQuery}`), "createdAfter:INVALID_FORMAT");
      assertStatus(await owner.get(`/api/developer/events?since=${inQuery}`), 400);
    }
  });
}

/** A body without the counts of requests in the dashboard, which grow with each request. */
function shownOf(body: string): unknown {
  const parsed: Record<string, unknown> = JSON.parse(body);
  const { requests: _, topEndpoints: __, dailyUsage: ___, ...shown } = parsed;
  return shown;
}

/** A key and a user of a new business in this time zone. */
async function businessIn({ service, as }: World, timeZone: string) {
  const business = (await service.businesses.create({ name: "Far away", timeZone }))._unsafeUnwrap();
  const host = { kind: "system", businessId: business.id } as const;
  const key = await service.keys.create(host, { name: "shop", scopes: ["READ_BUDGETS", "WRITE_BUDGETS"] });
  const account = { email: "far@example.com", password: "a long password" };
  const user = { ...account, businessId: business.id, displayName: "Far", role: "OWNER" } as const;
  (await service.users.create(user))._unsafeUnwrap();
  const session = (await service.sessions.login(account))._unsafeUnwrap();
  return { client: as(key._unsafeUnwrap().key ?? ""), owner: as(session.access_token) };
}
