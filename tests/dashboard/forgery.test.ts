import { describe, expect, it } from "vitest";
import { ANA, dashboardWorld, PASSWORD } from "./dashboard-world.js";

const BUDGETS = "/service/api/public/budgets";
const body = { customerId: "c-1", items: [{ description: "Oak table", quantity: 1, unitPrice: 450 }] };

async function signedIn() {
  const world = await dashboardWorld();
  const ana = world.browser();
  await ana.logIn();
  return { ...world, ana };
}

describe("a request to the dashboard that its own pages did not make", () => {
  it.each(["cross-site", "same-site", "none"])(
    "a write of Sec-Fetch-Site %s is refused, with the header too",
    async (site) => {
      const { ana } = await signedIn();
      const headers = { "sec-fetch-site": site };
      const answer = await ana.ask(BUDGETS, { method: "POST", body, headers });
      expect([answer.status, JSON.parse(await answer.text()).error]).toEqual([403, "forbidden"]);
      expect((await ana.ask("/session", { method: "DELETE", headers })).status).toBe(403);
      expect((await ana.ask("/session")).status).toBe(200);
    },
  );

  it.each(["POST", "PUT", "PATCH", "DELETE"])("a %s without the header of the page is refused", async (method) => {
    const { ana } = await signedIn();
    const headers = { "x-budgetkit-dashboard": "" };
    expect((await ana.ask(`${BUDGETS}/1`, { method, headers })).status).toBe(403);
    expect((await ana.ask("/session", { method, headers })).status).toBe(403);
  });

  it("a form of another site cannot log the browser in: no header, and another content type", async () => {
    const { send, browser } = await dashboardWorld();
    const form = new Request("http://localhost/dashboard/session", {
      method: "POST",
      headers: { "content-type": "text/plain" },
      body: JSON.stringify({ email: ANA, password: PASSWORD }),
    });
    const answer = await send(form);
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([403, null]);
    const headers = { "content-type": "text/plain" };
    const credentials = { email: ANA, password: PASSWORD };
    expect((await browser().ask("/session", { method: "POST", body: credentials, headers })).status).toBe(415);
  });

  it.each(["cross-site", "same-site"])("another origin's script or frame of %s reads nothing", async (site) => {
    const { ana } = await signedIn();
    for (const [mode, destination] of [
      ["cors", "empty"],
      ["no-cors", "image"],
      ["navigate", "iframe"],
    ] as const) {
      const headers = { "sec-fetch-site": site, "sec-fetch-mode": mode, "sec-fetch-dest": destination };
      expect((await ana.ask("/session", { headers })).status).toBe(403);
      expect((await ana.ask(BUDGETS, { headers })).status).toBe(403);
    }
    const opened = { "sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    expect((await ana.ask("/", { headers: opened })).status).toBe(200);
  });

  it("a trusted origin of the service gets no grant below the dashboard", async () => {
    const origin = "https://app.example";
    const { browser } = await dashboardWorld({ service: { trustedOrigins: [origin] } });
    const ana = browser();
    await ana.logIn();
    const read = await ana.ask(BUDGETS, { headers: { origin } });
    expect([...read.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    const preflight = { origin, "access-control-request-method": "POST" };
    expect((await ana.ask(BUDGETS, { method: "OPTIONS", headers: preflight })).status).toBe(405);
  });

  it("an answer for the signed-in user is kept by no cache, which could show it to the next one", async () => {
    const { ana } = await signedIn();
    const read = await ana.ask(BUDGETS);
    expect([read.status, read.headers.get("cache-control")]).toEqual([200, "no-store"]);
  });

  it("no answer has a header of credentials, or may be kept by a shared cache", async () => {
    const { browser } = await dashboardWorld();
    const refused = await browser().ask(BUDGETS);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, null]);
    expect(refused.headers.get("cache-control")).toMatch(/private|no-store/);
    expect(refused.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });
});
