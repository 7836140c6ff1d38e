import { describe, expect, it } from "vitest";
import { totpCode } from "../../packages/testing/src/http-suite/totp-code.js";
import { ANA, dashboardWorld, mounts, PASSWORD, stores } from "./dashboard-world.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const BUDGETS = "/service/v1/api/public/budgets";

const combinations = Object.keys(mounts).flatMap((mount) =>
  Object.keys(stores).map((store) => [mount, store] as const),
);

describe.each(combinations)("the session behind %s on %s", (mount, storeName) => {
  const world = (more: Parameters<typeof dashboardWorld>[0] = {}) =>
    dashboardWorld({ mount, store: stores[storeName]?.() ?? expect.fail(), ...more });

  it("a login sets one cookie out of the reach of scripts, and answers the user alone", async () => {
    const { browser, businessId, userId } = await world();
    const ana = browser();
    expect((await ana.ask("/session")).status).toBe(401);
    const answer = await ana.logIn();
    expect(answer.status).toBe(201);
    const text = await answer.text();
    const user = { userId, businessId, role: "OWNER", scopes: null, email: ANA, displayName: "Ana" };
    expect(JSON.parse(text)).toEqual({ data: user });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(ana.lastSet).toMatch(
      /^budgetkit-[0-9a-f]{8}=[^;]+; Path=\/dashboard; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    const session = await ana.ask("/session");
    expect([session.status, JSON.parse(await session.text())]).toEqual([200, { data: user }]);
    expect(session.headers.get("set-cookie")).toBe(null);
  });

  it("the interface of the service answers with the user of the cookie, and ignores credentials of the page", async () => {
    const { browser } = await world();
    const ana = browser();
    expect((await ana.ask(BUDGETS)).status).toBe(401);
    await ana.logIn();
    const body = { customerId: "c-1", items: [{ description: "Oak table", quantity: 1, unitPrice: 450 }] };
    expect((await ana.ask(BUDGETS, { method: "POST", body })).status).toBe(201);
    const list = await ana.ask(`${BUDGETS}?limit=5`, { headers: { authorization: "Bearer of-someone-else" } });
    expect([list.status, JSON.parse(await list.text()).data.length]).toEqual([200, 1]);
    expect(list.headers.get("cache-control")).toMatch(/private|no-store/);
  });

  it("a refused login passes the service's refusal on and sets no cookie", async () => {
    const { browser, service } = await world();
    const ana = browser();
    const refused = await ana.logIn({ password: "wrong" });
    const body = JSON.stringify({ email: ANA, password: "wrong" });
    const headers = { "content-type": "application/json" };
    const direct = await service.fetch(
      new Request("http://localhost/v1/auth/login", { method: "POST", headers, body }),
    );
    expect([refused.status, JSON.parse(await refused.text())]).toEqual([
      direct.status,
      JSON.parse(await direct.text()),
    ]);
    expect(ana.cookies.size).toBe(0);
    expect((await ana.ask("/session", { method: "POST", body: { email: 7 } })).status).toBe(400);
  });

  it("an expired access token is refreshed without a word, and the new cookie is set on that answer", async () => {
    const { browser, clock } = await world();
    const ana = browser();
    await ana.logIn();
    const [first] = ana.cookies.values();
    clock.advance(58 * MINUTE_MS);
    expect((await ana.ask(BUDGETS)).headers.get("set-cookie")).toBe(null);
    clock.advance(2 * MINUTE_MS);
    const answer = await ana.ask(BUDGETS);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const [second] = ana.cookies.values();
    expect(second).not.toBe(first);
    clock.advance(29 * DAY_MS);
    expect((await ana.ask("/session")).status).toBe(200);
    clock.advance(30 * DAY_MS);
    expect((await ana.ask("/session")).status).toBe(401);
    expect(ana.cookies.size).toBe(0);
  });

  it("signing out ends the session in the service and clears the cookie, twice without an error", async () => {
    const { browser, clock } = await world();
    const ana = browser();
    await ana.logIn();
    const copied = browser();
    copied.cookies = new Map(ana.cookies);
    clock.advance(2 * HOUR_MS);
    expect((await ana.ask("/session", { method: "DELETE" })).status).toBe(204);
    expect(ana.cookies.size).toBe(0);
    expect((await copied.ask(BUDGETS)).status).toBe(401);
    expect((await ana.ask("/session", { method: "DELETE" })).status).toBe(204);
  });

  it("a session that ended elsewhere gets 401, and its cookie is cleared", async () => {
    const { browser, service, businessId, userId } = await world();
    const ana = browser();
    await ana.logIn();
    (await service.users.endSessions({ kind: "system", businessId }, userId))._unsafeUnwrap();
    expect((await ana.ask(BUDGETS)).status).toBe(401);
    expect(ana.cookies.size).toBe(0);
  });
});

describe("the session of the dashboard", () => {
  it("a login asks for the code of a second factor, and takes one of the generator or a recovery code", async () => {
    const { browser, service, clock, businessId, userId } = await dashboardWorld();
    const self = { kind: "user", businessId, id: userId, role: "OWNER", sessionId: null } as const;
    const { secret } = (await service.users.totp.enrol(self, { password: PASSWORD }))._unsafeUnwrap();
    const code = () => totpCode(secret, clock.now());
    const { recoveryCodes } = (await service.users.totp.confirm(self, { code: code() }))._unsafeUnwrap();
    clock.advance(MINUTE_MS);
    const ana = browser();
    const asked = await ana.logIn();
    expect([asked.status, await asked.text()]).toEqual([401, expect.stringMatching(/SECOND_FACTOR|code/i)]);
    expect((await ana.logIn({ code: "000000" })).status).toBe(401);
    expect(ana.cookies.size).toBe(0);
    const given = code();
    expect((await ana.logIn({ code: `${given.slice(0, 3)} ${given.slice(3)}` })).status).toBe(201);
    expect((await browser().logIn({ code: recoveryCodes[0] })).status).toBe(201);
    expect((await browser().logIn({ code: recoveryCodes[0] })).status).toBe(401);
  });

  it("failed logins are limited by the client's address, as the service counts them", async () => {
    const { browser } = await dashboardWorld({ service: { trustedProxies: ["127.0.0.1"] } });
    const from = (address: string) => ({ "x-forwarded-for": address });
    const attempt = (address: string, password: string) =>
      browser().ask("/session", { method: "POST", body: { email: ANA, password }, headers: from(address) });
    const statuses = [];
    for (let tried = 0; tried < 11; tried += 1) statuses.push((await attempt("203.0.113.7", "wrong")).status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    const refused = await attempt("203.0.113.7", PASSWORD);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).not.toBe(null);
    expect((await attempt("198.51.100.20", PASSWORD)).status).toBe(201);
  });

  it("a new login ends the session of the former cookie", async () => {
    const { browser, addUser } = await dashboardWorld();
    await addUser("ben@example.com");
    const shared = browser();
    await shared.logIn();
    const former = browser();
    former.cookies = new Map(shared.cookies);
    expect((await shared.logIn({ email: "ben@example.com" })).status).toBe(201);
    expect((await former.ask("/session")).status).toBe(401);
    expect(JSON.parse(await (await shared.ask("/session")).text()).data.email).toBe("ben@example.com");
  });

  it("no answer of the dashboard holds a token, and the routes that answer tokens are not there", async () => {
    const { browser } = await dashboardWorld();
    const ana = browser();
    const login = await (await ana.logIn()).text();
    const [value = ""] = ana.cookies.values();
    const [, access = "", refresh = ""] = value.split("~");
    for (const path of ["/auth/login", "/v1/auth/login", "/v1/v1/auth/refresh", "/auth/refresh?a=1"]) {
      const body = { email: ANA, password: PASSWORD, refresh_token: refresh };
      const answer = await ana.ask(`/service${path}`, { method: "POST", body });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    for (const path of ["/%61uth/login", "//auth/login", "/auth/login/", "/auth//login", "/AUTH/login"]) {
      const answer = await ana.ask(`/service${path}`, { method: "POST", body: { email: ANA, password: PASSWORD } });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    const texts = [login, await (await ana.ask("/session")).text(), await (await ana.ask("/")).text()];
    for (const text of texts) expect([text.includes(access), text.includes(refresh)]).toEqual([false, false]);
  });

  it("only the operations of login and refresh answer tokens in the OpenAPI document", async () => {
    const { browser } = await dashboardWorld();
    const document = JSON.parse(await (await browser().ask("/service/openapi.json")).text());
    const schemas = Object.entries<object>(document.components.schemas);
    const [name] =
      schemas.find(
        ([, schema]) =>
          JSON.stringify(schema).includes('"refresh_token"') && JSON.stringify(schema).includes('"access_token"'),
      ) ?? [];
    const answering = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.values<{ responses?: object }>({ ...item })
        .filter(({ responses }) => JSON.stringify(responses ?? {}).includes(`/${name}"`))
        .map(() => path),
    );
    expect(answering.sort()).toEqual(["/auth/login", "/auth/refresh"]);
  });

  it.each([
    ["garbage", "x"],
    ["a token of no session", `9999999999~a.b.c~bgk_rt_1.2.${"A".repeat(43)}.${"A".repeat(43)}`],
    ["an expired token of no session", `1~a.b.c~bgk_rt_1.2.${"A".repeat(43)}.${"A".repeat(43)}`],
    ["a very long value", `9999999999~${"a".repeat(9_000)}~b`],
  ])("a cookie that is %s signs no one in", async (_, value) => {
    const { browser } = await dashboardWorld();
    const ana = browser();
    await ana.logIn();
    const [name = ""] = ana.cookies.keys();
    ana.cookies = new Map([[name, value]]);
    expect((await ana.ask("/session")).status).toBe(401);
    expect((await ana.ask(BUDGETS)).status).toBe(401);
  });

  it("two cookies of one name with different values are not used: a sibling domain may have set one", async () => {
    const { browser, send } = await dashboardWorld();
    const [mine, other] = [browser(), browser()];
    await mine.logIn();
    await other.logIn();
    const both = [...mine.cookies, ...other.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await send(new Request("http://localhost/dashboard/session", { headers: { cookie: both } }));
    expect(answer.status).toBe(401);
  });
});
