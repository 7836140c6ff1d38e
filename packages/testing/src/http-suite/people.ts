import assert from "node:assert/strict";
import { HOUR_MS, MINUTE_MS } from "@budgetkit/core/store";
import { type HttpCases, withOptions } from "./cases.js";
import type { Client, Reply } from "./client.js";
import { aBudgetBody, aPublicBody, approve, assertReplay, assertStatus, BUDGETS, createBudget } from "./samples.js";
import { OLGA, PASSWORD, START, type World } from "./world.js";

const PRODUCTS = "/api/public/products";
const A_PRODUCT = { name: "Oak table", sku: "OAK-1", unitPrice: 450 };

/** The first businesses of a world have these ids. */
const FROM_HEADER = {
  service: {
    resolveUser: (request: { header(name: string): string | null }) => {
      const [businessId = "", userId = ""] = request.header("x-user")?.split(" ") ?? [];
      return businessId === "" ? null : ({ businessId, userId, role: "ADMIN" } as const);
    },
  },
};

export function peopleCases(cases: HttpCases): void {
  accessCases(cases);
  revocationCases(cases);
  limitCases(cases);
  hostLoginCases(withOptions(cases, FROM_HEADER));
}

function accessCases({ it }: HttpCases): void {
  it("an OWNER does on the public API what a key with every scope does, under the own name", async (world) => {
    const { owner } = world;
    const user = `user:${(await loginOf(world)).number("user.id")}`;
    const id = await createBudget(owner);
    await approve(owner, id);
    (await owner.get(`${BUDGETS}/${id}`)).assertData({ createdBy: user, approvedBy: user });
    const events = await owner.get(`/api/developer/events?subjectId=${id}`);
    assert.deepEqual([events.at("data.0.actor"), events.at("data.1.actor")], [user, user]);
    assertStatus(await owner.post(PRODUCTS, A_PRODUCT), 201);
  });

  it("a MEMBER does what memberScopes allow: by default all but writing products", async ({ member }) => {
    const id = await createBudget(member);
    assertStatus(await member.post("/api/public/customers", { name: "Ana" }), 201);
    assertStatus(await member.get(PRODUCTS), 200);
    const refused = assertStatus(await member.post(PRODUCTS, A_PRODUCT), 403);
    assert.equal(refused.at("error"), "forbidden");
    assert.match(refused.text("message"), /WRITE_PRODUCTS/);
    assertStatus(await member.post("/api-keys", { name: "a", scopes: ["WRITE_PRODUCTS"] }), 403);
    const actions = (await member.get(`${BUDGETS}/${id}`)).at("data.availableActions");
    assert.ok(Array.isArray(actions) && actions.includes("approve"));
  });

  it(
    "offers no action on a budget to a MEMBER who may only read",
    async ({ member, owner }) => {
      const id = await createBudget(owner);
      assertStatus(await member.delete(`${BUDGETS}/${id}`), 403);
      assert.deepEqual((await member.get(`${BUDGETS}/${id}`)).at("data.availableActions"), []);
      assert.notDeepEqual((await owner.get(`${BUDGETS}/${id}`)).at("data.availableActions"), []);
    },
    { service: { memberScopes: ["READ_BUDGETS"] } },
  );

  it("a user reads and changes the own business only", async ({ owner, otherOwner, business, otherBusiness }) => {
    const id = await createBudget(owner);
    assertStatus(await otherOwner.get(`${BUDGETS}/${id}`), 404);
    assertStatus(await otherOwner.delete(`${BUDGETS}/${id}`), 404);
    assert.equal((await otherOwner.get(BUDGETS)).at("pagination.total"), 0);
    const offerFor = ({ businessId }: World["business"]) => aPublicBody({ businessId: Number(businessId) });
    assertStatus(await owner.post("/api/budgets/public", offerFor(otherBusiness)), 403);
    assertStatus(await owner.post("/api/budgets/public", offerFor(business)), 201);
  });

  it("a user on the public API has Idempotency-Keys of their own", async ({ owner, member, full }) => {
    const once = { "idempotency-key": "the-same" };
    const create = (client: Client) => client.post(BUDGETS, aBudgetBody(), once);
    const ids = new Set<string>();
    for (const client of [owner, member, full]) {
      const [first, again] = [await create(client), await create(client)];
      assertStatus(again, 201);
      assertReplay(first, again);
      ids.add(first.text("data.id"));
    }
    assert.equal(ids.size, 3);
  });

  it("requests of users are in no statistics, which count those of keys", async ({ owner, full }) => {
    await createBudget(owner);
    assert.equal((await owner.get(`/api-keys/${full.id}/stats`)).at("totalRequests"), 0);
    assert.equal((await owner.get("/api/developer/dashboard/stats")).at("requests.total"), 0);
  });

  it("serves the service's own login from any page, since no browser adds its tokens", async ({ owner }) => {
    const elsewhere = { "sec-fetch-site": "cross-site", origin: "https://app.example", cookie: "a=1" };
    assertStatus(await owner.post(BUDGETS, aBudgetBody(), elsewhere), 201);
    assertStatus(await owner.post("/api-keys", { name: "a", scopes: ["READ_BUDGETS"] }, elsewhere), 201);
  });
}

function revocationCases({ it }: HttpCases): void {
  const ends: Readonly<Record<string, (world: World, session: Reply) => Promise<unknown>>> = {
    "with the logout": ({ owner }) => owner.post("/auth/logout"),
    "when the user is disabled": ({ service, business }, session) =>
      service.users.disable(business, String(session.number("user.id"))),
    "when the user is removed": ({ service, business }, session) =>
      service.users.remove(business, String(session.number("user.id"))),
    "when another session changes the password": async (world) =>
      world
        .as((await world.anonymous.post("/auth/login", OLGA)).text("access_token"))
        .post("/auth/password", { currentPassword: PASSWORD, newPassword: "another horse battery" }),
  };
  for (const [name, end] of Object.entries(ends)) {
    it(`a user's access to the public API ends at once ${name}`, async (world) => {
      const { owner, service, business } = world;
      const session = await loginOf(world);
      const { businessId } = business;
      await service.users.create({ ...OLGA, businessId, email: "b@example.com", displayName: "Bea", role: "OWNER" });
      const client = name === "with the logout" ? owner : world.as(session.text("access_token"));
      assertStatus(await client.get(BUDGETS), 200);
      await end(world, session);
      assert.equal(assertStatus(await client.get(BUDGETS), 401).headers["x-ratelimit-limit"], undefined);
      assertStatus(await client.post(BUDGETS, aBudgetBody()), 401);
    });
  }

  it("a lowered role ends the access that it gave (FORBIDDEN)", async ({ service, business, anonymous, as }) => {
    const bea = { email: "bea@example.com", password: PASSWORD };
    const { businessId } = business;
    const made = await service.users.create({ ...bea, businessId, displayName: "Bea", role: "ADMIN" });
    const client = as((await anonymous.post("/auth/login", bea)).text("access_token"));
    assertStatus(await client.post(PRODUCTS, A_PRODUCT), 201);
    await service.users.changeRole(business, String(made._unsafeUnwrap().id), "MEMBER");
    assertStatus(await client.post(PRODUCTS, { ...A_PRODUCT, sku: "OAK-2" }), 403);
  });
}

function limitCases({ it }: HttpCases): void {
  it("a user has the default rate of the tier, in every response", async ({ owner, service, business }) => {
    const standard = await owner.get(BUDGETS);
    assert.equal(standard.headers["x-ratelimit-limit"], "1000");
    assert.equal(standard.headers["x-ratelimit-remaining"], "999");
    assert.equal(standard.headers["x-ratelimit-reset"], String((Date.parse(START) + HOUR_MS) / 1_000));
    assert.equal(standard.headers["ratelimit-policy"], '"hour";q=1000;w=3600, "burst";q=100;w=60');
    assert.equal((await owner.get("/api-keys")).headers["x-ratelimit-remaining"], "998");
    assert.equal((await owner.get("/api/developer/webhooks")).headers["x-ratelimit-remaining"], "997");
    assert.equal((await owner.get("/api/public/nowhere")).headers["x-ratelimit-remaining"], "996");
    await service.businesses.setTier(business.businessId, "ENTERPRISE");
    assert.equal((await owner.get(BUDGETS)).headers["ratelimit-policy"], '"hour";q=25000;w=3600, "burst";q=833;w=60');
  });

  it("a user has one rate limit for all sessions and paths, apart from other callers (429)", async (world) => {
    const { owner, member, full, otherOwner, clock } = world;
    const second = world.as((await loginOf(world)).text("access_token"));
    const before = 1; // by `loginOf`
    for (let made = before; made < 100; made += 1) {
      const path = made % 3 === 0 ? "/api/developer/webhooks" : BUDGETS;
      assertStatus(await (made % 2 === 0 ? owner : second).get(path), 200);
    }
    for (const client of [owner, second]) {
      for (const path of [BUDGETS, "/api-keys", "/api/public/nowhere"]) {
        const refused = assertStatus(await client.get(path), 429);
        refused.assertAt({ error: "rate_limit_exceeded", "details.limit": 1_000 });
        assert.equal(refused.headers["retry-after"], "60");
      }
    }
    for (const client of [member, full, otherOwner]) {
      assert.equal((await client.get(BUDGETS)).headers["x-ratelimit-remaining"], "999");
    }
    clock.advance(MINUTE_MS - 1);
    assertStatus(await owner.get(BUDGETS), 429);
    clock.advance(1);
    assert.equal((await owner.get(BUDGETS)).headers["x-ratelimit-remaining"], "899");
  });

  it("never admits more than a user's limit concurrently, and always allows the logout", async ({ owner }) => {
    assertStatus(await owner.get(BUDGETS), 200);
    const replies = await Promise.all(Array.from({ length: 120 }, () => owner.get(BUDGETS)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 99);
    assert.equal(assertStatus(await owner.post("/auth/logout"), 200).headers["x-ratelimit-limit"], undefined);
  });
}

function hostLoginCases({ it }: HttpCases): void {
  it("a user's rate limit is neither that of a key with the same id, nor of a user whose id resembles a subject", async (world) => {
    const { full, anonymous, business, otherBusiness } = world;
    const spent = { "x-user": `${business.businessId} ${full.id}` };
    for (let made = 0; made < 100; made += 1) assertStatus(await anonymous.get(BUDGETS, spent), 200);
    assertStatus(await anonymous.get(BUDGETS, spent), 429);
    for (const user of [`${business.businessId}:${full.id}`, `user:${full.id}`, `${full.id}:hour`]) {
      const other = await anonymous.get(BUDGETS, { "x-user": `${business.businessId} ${user}` });
      assert.equal(other.headers["x-ratelimit-remaining"], "999");
    }
    const abroad = await anonymous.get(BUDGETS, { "x-user": `${otherBusiness.businessId} ${full.id}` });
    assert.equal(abroad.headers["x-ratelimit-remaining"], "999");
    assert.equal((await full.get(BUDGETS)).headers["x-ratelimit-remaining"], "999");
  });

  it("a user of the host's own login acts under the host's id, and a key beside the session counts alone", async (world) => {
    const { anonymous, full, business, service } = world;
    const session = { "x-user": `${business.businessId} ana@host` };
    const created = assertStatus(await anonymous.post(BUDGETS, aBudgetBody(), session), 201);
    assert.equal(created.at("data.createdBy"), "user:ana@host");
    const withKey = { ...session, authorization: `Bearer ${full.key}` };
    assert.equal((await anonymous.post(BUDGETS, aBudgetBody(), withKey)).at("data.createdBy"), `key:${full.id}`);
    await service.keys.revoke(business, full.id);
    assertStatus(await anonymous.get(BUDGETS, withKey), 401);
    assertStatus(await anonymous.get(BUDGETS, { ...session, authorization: "Bearer bgk_live_typo" }), 401);
    assertStatus(await anonymous.get(BUDGETS), 401);
  });

  const cases: readonly (readonly [headers: Readonly<Record<string, string>>, isAllowed: boolean])[] = [
    [{}, true], // not a browser
    [{ "sec-fetch-site": "same-origin" }, true],
    [{ "sec-fetch-site": "none" }, true],
    [{ "sec-fetch-site": "same-site" }, false],
    [{ "sec-fetch-site": "cross-site" }, false],
    [{ "sec-fetch-site": "cross-site", origin: "https://quotes.example" }, false],
    [{ "sec-fetch-site": "" }, false],
    [{ origin: "https://quotes.example" }, true],
    [{ origin: "http://quotes.example" }, false],
    [{ origin: "https://quotes.example.evil.example" }, false],
    [{ origin: "https://evil.example" }, false],
    [{ origin: "null" }, false],
    [{ origin: "" }, false],
    [{ "sec-fetch-site": "cross-site", authorization: "Bearer made.up.token" }, true], // no page adds it without leave
    [{ "sec-fetch-site": "cross-site", authorization: "Token made-up" }, true],
    [{ "sec-fetch-site": "cross-site", authorization: "Basic dXNlcg==" }, false], // browsers add it by themselves
    [{ "sec-fetch-site": "cross-site", "x-requested-with": "XMLHttpRequest" }, true],
    [{ "sec-fetch-site": "cross-site", "x-requested-with": "com.example.app" }, false], // of an Android WebView
    [{ origin: "https://evil.example", "x-forwarded-host": "evil.example" }, false],
  ];
  for (const [headers, isAllowed] of cases) {
    it(`a write with the cookie of the host's login is ${isAllowed ? "served" : "refused"} with ${JSON.stringify(headers)}`, async (world) => {
      const { anonymous, business } = world;
      const browser = { cookie: "session=1", "x-user": `${business.businessId} 7`, ...headers };
      const created = await anonymous.post(BUDGETS, aBudgetBody(), browser);
      const key = await anonymous.post("/api-keys", { name: "a", scopes: ["READ_BUDGETS"] }, browser);
      for (const reply of [created, key]) assertStatus(reply, isAllowed ? 201 : 403);
      if (!isAllowed) {
        assert.match(created.text("message"), /comes from another site: (?:Sec-Fetch-Site|Origin) is /);
        assert.equal(created.headers["x-ratelimit-limit"], undefined);
        assert.match(key.text("error.message"), /another site/);
      }
      for (const method of ["PUT", "DELETE"]) {
        const reply = await anonymous.send(method, `${BUDGETS}/999`, method === "PUT" ? {} : undefined, browser);
        assertStatus(reply, isAllowed ? 404 : 403);
      }
      assertStatus(await anonymous.get(BUDGETS, browser), 200);
    });
  }

  it(
    "serves a write with the host's cookie from a trusted origin, whose pages may read the answer (CORS)",
    async ({ anonymous, business }) => {
      const session = { cookie: "session=1", "x-user": `${business.businessId} 7` };
      const app = { ...session, "sec-fetch-site": "same-site", origin: "https://app.example" };
      const created = assertStatus(await anonymous.post(BUDGETS, aBudgetBody(), app), 201);
      assert.equal(created.headers["access-control-allow-origin"], "https://app.example");
      assert.equal(created.headers["access-control-allow-credentials"], "true");
      const exposed = created.headers["access-control-expose-headers"]?.split(", ") ?? [];
      for (const name of ["ETag", "X-RateLimit-Window"]) assert.ok(exposed.includes(name), name);
      assert.match(created.headers.vary ?? "", /\bOrigin\b/);
      const asked = { origin: app.origin, "access-control-request-method": "PUT" };
      const wished = { ...asked, "access-control-request-headers": "content-type,if-match" };
      const preflight = assertStatus(await anonymous.send("OPTIONS", `${BUDGETS}/1`, undefined, wished), 204);
      assert.equal(preflight.headers["access-control-allow-origin"], app.origin);
      assert.match(preflight.headers["access-control-allow-methods"] ?? "", /\bPUT\b/);
      assert.equal(preflight.headers["access-control-allow-headers"], "content-type,if-match");
      for (const origin of ["https://evil.example", "http://app.example", "null"]) {
        const refused = assertStatus(await anonymous.post(BUDGETS, aBudgetBody(), { ...app, origin }), 403);
        assert.equal(refused.headers["access-control-allow-origin"], undefined);
        assertStatus(await anonymous.send("OPTIONS", `${BUDGETS}/1`, undefined, { ...asked, origin }), 405);
      }
    },
    { service: { trustedOrigins: ["https://app.example"] } },
  );

  it("serves a key or a token alone from any page", async ({ anonymous, full, business }) => {
    const elsewhere = { "sec-fetch-site": "cross-site", origin: "https://app.example" };
    const token = { authorization: "Bearer made.up.token", "x-user": `${business.businessId} 7` };
    assertStatus(await anonymous.post(BUDGETS, aBudgetBody(), { ...elsewhere, ...token }), 201);
    assertStatus(await full.post(BUDGETS, aBudgetBody(), { ...elsewhere, cookie: "session=1" }), 201);
  });
}

/** Another session of the owner, whose account the first request of `owner` makes. */
async function loginOf({ owner, anonymous }: World): Promise<Reply> {
  assertStatus(await owner.get("/api-keys"), 200);
  const session = assertStatus(await anonymous.post("/auth/login", OLGA), 201);
  return session;
}
