import { createBudgetService } from "@budgetkit/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Browser, dashboardWorld, stores } from "./dashboard-world.js";

const HOUR_MS = 3_600_000;
const PATH = "/service/api/public/budgets";

/** What the cookie keeps to refresh with. */
const refreshIn = (browser: Browser) => [...browser.cookies.values()].map((value) => value.split("~")[2]);

/** Two tabs of one browser that send the same cookie. */
function tabsOf(browser: Browser, ...sends: ConstructorParameters<typeof Browser>[0][]): Browser[] {
  return sends.map((send) => {
    const tab = new Browser(send);
    tab.cookies = new Map(browser.cookies);
    return tab;
  });
}

describe.each(Object.keys(stores))("a refresh of the dashboard on %s", (storeName) => {
  const makeWorld = () => dashboardWorld({ store: stores[storeName]?.() ?? expect.fail() });

  it("many requests at once with one expired token refresh once, and all are answered", async () => {
    const { browser, send, service, clock } = await makeWorld();
    const refresh = vi.spyOn(service.sessions, "refresh");
    const ana = browser();
    await ana.logIn();
    clock.advance(HOUR_MS);
    const tabs = tabsOf(ana, ...Array(12).fill(send));
    const statuses = await Promise.all(tabs.map(async (tab) => (await tab.ask(PATH)).status));
    expect(statuses).toEqual(Array(12).fill(200));
    expect(refresh).toHaveBeenCalledTimes(1);
    expect(new Set(tabs.flatMap(refreshIn)).size).toBe(1);
  });

  it("two processes that refresh one token at once set the same cookie, and the session lives on", async () => {
    const { browser, send, serviceOptions, mountAnother, clock } = await makeWorld();
    const second = createBudgetService(serviceOptions);
    onTestFinished(() => second.stop());
    const other = await mountAnother(second);
    const ana = browser();
    await ana.logIn();
    for (let round = 0; round < 3; round += 1) {
      clock.advance(HOUR_MS);
      const tabs = tabsOf(ana, send, other.send);
      const answers = await Promise.all(tabs.map((tab) => tab.ask(PATH)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const [first, last] = tabs.map(refreshIn);
      expect(first).toEqual(last);
      ana.cookies = new Map(tabs[1]?.cookies);
    }
    expect((await ana.ask("/session")).status).toBe(200);
  });

  it("a browser that lost the answer with its new cookie is refreshed for ten seconds, and not after them", async () => {
    const { browser, send, clock } = await makeWorld();
    const ana = browser();
    await ana.logIn();
    clock.advance(HOUR_MS);
    const [lost, again, late] = tabsOf(ana, send, send, send);
    expect((await lost?.ask(PATH))?.status).toBe(200);
    clock.advance(9_999);
    expect((await again?.ask(PATH))?.status).toBe(200);
    clock.advance(1);
    expect((await late?.ask(PATH))?.status).toBe(401);
    expect(late?.cookies.size).toBe(0);
    // A used token after that was stolen or its successor was: the session ends for both.
    expect((await again?.ask("/session"))?.status).toBe(401);
  });

  it("a refresh after the session has ended clears the cookie", async () => {
    const { browser, service, businessId, userId, clock } = await makeWorld();
    const ana = browser();
    await ana.logIn();
    (await service.users.endSessions({ kind: "system", businessId }, userId))._unsafeUnwrap();
    clock.advance(HOUR_MS);
    const answer = await ana.ask(PATH);
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([401, "no-store"]);
    expect(ana.cookies.size).toBe(0);
  });
});
