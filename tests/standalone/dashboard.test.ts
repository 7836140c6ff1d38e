import { describe, expect, it } from "vitest";
import { serveHere } from "../programs/server-here.js";

const PASSWORD = "correct horse battery";
const OWNER = { BUDGETKIT_ADMIN_EMAIL: "ana@example.com", BUDGETKIT_ADMIN_PASSWORD: PASSWORD };
const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

const logIn = (url: string, path = "/dashboard") =>
  fetch(`${url}${path}/session`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-budgetkit-dashboard": "1" },
    body: JSON.stringify({ email: OWNER.BUDGETKIT_ADMIN_EMAIL, password: PASSWORD }),
  });

describe.each(["hono", "express"])("the dashboard of the standalone server behind %s", (framework) => {
  const serve = (environment = {}) =>
    serveHere({ DATABASE_URL: "memory:", BUDGETKIT_FRAMEWORK: framework, ...OWNER, ...environment });

  it("the first owner logs in at /dashboard and calls the service by the cookie", async () => {
    const { url, printed } = await serve();
    expect(printed).toContain(`Dashboard, to open in a browser: ${url}/dashboard\n`);
    expect(printed.indexOf(`Open ${url}/dashboard in a browser and log in.`)).toBeLessThan(printed.indexOf("curl"));
    const login = await logIn(url);
    expect([login.status, JSON.parse(await login.text()).data]).toEqual([
      201,
      expect.objectContaining({ role: "OWNER" }),
    ]);
    const [cookie = ""] = (login.headers.get("set-cookie") ?? "").split(";");
    expect(login.headers.get("set-cookie")).toContain("; Path=/dashboard;");
    const keys = await fetch(`${url}/dashboard/service/api-keys`, { headers: { cookie } });
    expect(keys.status).toBe(200);
    expect((await fetch(`${url}/dashboard/service/docs`, { headers: BROWSER })).status).toBe(200);
  });

  it("the dashboard below a proxy's prefix takes it from the public address", async () => {
    const { url, printed } = await serve({ BUDGETKIT_PUBLIC_URL: "https://shop.example/offers/v1" });
    expect(printed).toContain("Dashboard, to open in a browser: https://shop.example/offers/dashboard\n");
    const cookie = (await logIn(url)).headers.get("set-cookie");
    expect(cookie).toMatch(/^__Secure-.*; Path=\/offers\/dashboard;.*; Secure$/);
  });

  it("BUDGETKIT_DASHBOARD=false leaves the dashboard out", async () => {
    const { url, printed } = await serve({ BUDGETKIT_DASHBOARD: "false" });
    expect(printed).not.toContain("/dashboard");
    expect((await logIn(url)).status).toBe(404);
    expect(await (await fetch(url, { headers: BROWSER })).text()).not.toContain("dashboard");
  });

  it("a browser sees a welcome page at /, and programs the same JSON as at /v1", async () => {
    const { url } = await serve();
    const page = await fetch(`${url}/?from=mail`, { headers: BROWSER });
    const html = await page.text();
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /);
    expect(page.headers.get("vary")).toBe("Accept");
    expect(html).not.toContain("<script");
    const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, path]) => path);
    expect(links).toEqual(["dashboard", "v1/docs", "healthz"]);
    expect((await fetch(url, { method: "HEAD", headers: BROWSER })).status).toBe(200);
    const [root, v1] = [await fetch(url), await fetch(`${url}/v1`)];
    expect([root.status, JSON.parse(await root.text())]).toEqual([v1.status, JSON.parse(await v1.text())]);
    expect((await fetch(url, { method: "POST", headers: BROWSER })).status).toBeGreaterThanOrEqual(404);
  });
});
