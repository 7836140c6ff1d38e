import { createBudgetService } from "@budgetkit/core";
import { dashboardHandler } from "@budgetkit/dashboard";
import { memoryStore } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { Browser, dashboardWorld, mounts } from "./dashboard-world.js";

const service = createBudgetService({ store: memoryStore(), secret: "a secret of at least 32 characters for tests" });

describe("the options of the dashboard", () => {
  it.each([
    { basePath: "dashboard" },
    { basePath: "//evil.example" },
    { basePath: "/a/../b" },
    { basePath: "/a//b" },
    { basePath: '/a"onload=' },
    { basePath: "/a;Domain=example.com" },
    { publicPath: "https://evil.example" },
    { publicPath: "/a b" },
    { publicPath: "/a%2f" },
    { publicPath: `/${"a".repeat(300)}` },
  ])("dashboardHandler refuses the path of %j", (options) => {
    expect(() => dashboardHandler({ service, ...options })).toThrow(RangeError);
  });

  it("dashboardHandler refuses unknown options, a wrong type, and no service", () => {
    const unknown: object = { service, path: "/dashboard" };
    expect(() => dashboardHandler({ service, ...unknown })).toThrow(/dashboardHandler.*path/);
    const wrong: object = { secureCookies: "yes" };
    expect(() => dashboardHandler({ service, ...wrong })).toThrow(RangeError);
    const none: Parameters<typeof dashboardHandler>[0] = JSON.parse("{}");
    expect(() => dashboardHandler(none)).toThrow(TypeError);
  });
});

describe("a mount of the dashboard", () => {
  it.each(Object.keys(mounts))("works at another path, behind %s", async (mount) => {
    const { send } = await dashboardWorld({ mount, dashboard: { basePath: "/admin/budgets/" } });
    const ana = new Browser(send, "/admin/budgets");
    expect(await (await ana.ask("/")).text()).toContain('data-base="/admin/budgets"');
    expect((await ana.logIn()).status).toBe(201);
    expect(ana.lastSet).toContain("Path=/admin/budgets;");
    expect((await ana.ask("/service/api/public/budgets")).status).toBe(200);
  });

  it("a proxy's prefix is in the document, the cookie and the redirects, and not in what the handler serves", async () => {
    const { browser, dashboard, businessId, userId } = await dashboardWorld({
      dashboard: { publicPath: "/shop/dashboard" },
    });
    const ana = browser();
    const html = await (await ana.ask("/budgets")).text();
    expect(html).toContain('data-base="/shop/dashboard"');
    expect(html).toContain('src="/shop/dashboard/assets/index-A1b2.js"');
    const link = await dashboard.oneTimeLogin({ businessId, userId });
    expect(link).toMatch(/^\/shop\/dashboard\/enter\?/);
    const entered = await ana.ask(link.slice("/shop/dashboard".length));
    expect(entered.headers.get("location")).toBe("/shop/dashboard/");
    expect(ana.lastSet).toContain("Path=/shop/dashboard;");
    expect((await ana.ask("/session")).status).toBe(200);
  });

  it("the root of a host can be the mount, and its cookie is bound to the host", async () => {
    const { send } = await dashboardWorld({
      dashboard: { basePath: "/" },
      service: { publicBaseUrl: "https://budgets.example/v1" },
    });
    const ana = new Browser(send, "");
    expect(await (await ana.ask("/")).text()).toContain('data-base="" ');
    await ana.logIn();
    expect(ana.lastSet).toMatch(/^__Host-budgetkit-[0-9a-f]{8}=[^;]+; Path=\/; .*; Secure$/);
    expect((await ana.ask("/session")).status).toBe(200);
  });

  it("two mounts on one host, one below the other, have sessions of their own", async () => {
    const { browser, mountAnother, addUser } = await dashboardWorld();
    const { send } = await mountAnother(undefined, { basePath: "/dashboard/inner" });
    await addUser("ben@example.com");
    const [outer, inner] = [browser(), new Browser(send, "/dashboard/inner")];
    await outer.logIn();
    inner.cookies = new Map(outer.cookies); // a browser sends the cookie of /dashboard below it too
    expect((await inner.ask("/session")).status).toBe(401);
    await inner.logIn({ email: "ben@example.com" });
    expect(inner.cookies.size).toBe(2);
    expect(JSON.parse(await (await inner.ask("/session")).text()).data.email).toBe("ben@example.com");
    expect(JSON.parse(await (await outer.ask("/session")).text()).data.email).toBe("ana@example.com");
  });

  it("a request outside the base path gets 404 from the handler, and a longer name is outside", async () => {
    const { send } = await dashboardWorld();
    for (const path of ["/", "/other", "/dashboards", "/dashboard2/session"]) {
      expect((await send(new Request(`http://localhost${path}`))).status).toBe(404);
    }
  });
});

describe("the cookie of the dashboard", () => {
  const secure =
    /^__Secure-budgetkit-[0-9a-f]{8}=[^;]+; Path=\/dashboard; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/;

  it("the cookie is for HTTPS alone when the service is public over HTTPS", async () => {
    const { browser } = await dashboardWorld({ service: { publicBaseUrl: "https://budgets.example/v1" } });
    const ana = browser();
    await ana.logIn();
    expect(ana.lastSet).toMatch(secure);
    expect((await ana.ask("/session")).status).toBe(200);
    await ana.ask("/session", { method: "DELETE" });
    expect(ana.lastSet).toMatch(/^__Secure-.*=; Path=\/dashboard; Max-Age=0; HttpOnly; SameSite=Strict; Secure$/);
  });

  it("the cookie is for HTTPS alone when a request arrives over it, also at a trusted proxy and at no other", async () => {
    const direct = await dashboardWorld();
    const ana = new Browser(direct.send, "/dashboard", "https://localhost");
    await ana.logIn();
    expect(ana.lastSet).toMatch(secure);
    const headers = { "x-forwarded-proto": "https" };
    const forwarded = async (trustedProxies: readonly string[]) => {
      const { browser } = await dashboardWorld({ service: { trustedProxies } });
      const ben = browser();
      await ben.ask("/session", {
        method: "POST",
        body: { email: "ana@example.com", password: "a good long password" },
        headers,
      });
      return ben.lastSet;
    };
    expect(await forwarded(["127.0.0.1"])).toMatch(secure);
    expect(await forwarded([])).not.toMatch(/Secure/);
  });

  it("the option secureCookies decides before everything else", async () => {
    const { browser } = await dashboardWorld({
      service: { publicBaseUrl: "https://budgets.example/v1" },
      dashboard: { secureCookies: false },
    });
    const ana = browser();
    await ana.logIn();
    expect(ana.lastSet).not.toMatch(/Secure/);
  });
});
