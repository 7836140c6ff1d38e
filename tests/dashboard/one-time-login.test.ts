import { describe, expect, it } from "vitest";
import { dashboardWorld } from "./dashboard-world.js";

const MINUTE_MS = 60_000;

async function withLink() {
  const world = await dashboardWorld();
  const { dashboard, businessId, userId } = world;
  const link = await dashboard.oneTimeLogin({ businessId, userId });
  return { ...world, link, path: link.slice("/dashboard".length) };
}

describe("a link that logs in once", () => {
  it("the link leads to the dashboard, signed in, and works once", async () => {
    const { browser, path, link } = await withLink();
    expect(link).toMatch(/^\/dashboard\/enter\?token=bgk_ot_[\w.-]+$/);
    const [first, second] = [browser(), browser()];
    const answer = await first.ask(path, { headers: { "sec-fetch-site": "cross-site" } });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/dashboard/"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    expect((await first.ask("/session")).status).toBe(200);
    const again = await second.ask(path);
    expect([again.status, again.headers.get("location"), again.headers.get("set-cookie")]).toEqual([
      303,
      "/dashboard/",
      null,
    ]);
    expect((await second.ask("/session")).status).toBe(401);
    expect((await first.ask("/session")).status).toBe(200);
  });

  it("the link ends the session that the browser had before", async () => {
    const { browser, path } = await withLink();
    const ana = browser();
    await ana.logIn();
    const former = browser();
    former.cookies = new Map(ana.cookies);
    expect((await ana.ask(path)).status).toBe(303);
    expect([(await former.ask("/session")).status, (await ana.ask("/session")).status]).toEqual([401, 200]);
  });

  it("the link opens a session for exactly one of concurrent uses", async () => {
    const { browser, path } = await withLink();
    const answers = await Promise.all(Array.from({ length: 5 }, () => browser().ask(path)));
    expect(answers.filter(({ headers }) => headers.has("set-cookie")).length).toBe(1);
  });

  it("the link expires after 10 minutes, and a newer one replaces it", async () => {
    const { browser, path, clock, dashboard, businessId, userId } = await withLink();
    clock.advance(10 * MINUTE_MS);
    expect((await browser().ask(path)).headers.get("set-cookie")).toBe(null);
    const older = await dashboard.oneTimeLogin({ businessId, userId });
    const newer = await dashboard.oneTimeLogin({ businessId, userId });
    clock.advance(10 * MINUTE_MS - 1);
    expect((await browser().ask(older.slice("/dashboard".length))).headers.get("set-cookie")).toBe(null);
    expect((await browser().ask(newer.slice("/dashboard".length))).headers.get("set-cookie")).not.toBe(null);
  });

  it.each([
    ["a HEAD request", { method: "HEAD" }],
    ["a POST request", { method: "POST" }],
    ["a prefetch", { headers: { "sec-purpose": "prefetch" } }],
    ["a picture of another page", { headers: { "sec-fetch-dest": "image" } }],
  ])("%s does not use the link up", async (_, sent) => {
    const { browser, path } = await withLink();
    const refused = await browser().ask(path, sent);
    expect([refused.status >= 400, refused.headers.get("set-cookie")]).toEqual([true, null]);
    expect((await browser().ask(path)).headers.get("set-cookie")).not.toBe(null);
  });

  it("the link sets no password, and a token that sets a password does not log in", async () => {
    const { browser, path, service, businessId, userId } = await withLink();
    const token = new URLSearchParams(path.split("?")[1]).get("token") ?? "";
    const set = await service.users.setPassword({ token, password: "another long password" });
    expect(set._unsafeUnwrapErr()).toMatchObject({ rule: "TOKEN_NOT_VALID" });
    const issued = (await service.users.issueToken({ kind: "system", businessId }, userId))._unsafeUnwrap();
    expect((await browser().ask(`/enter?token=${issued.token}`)).headers.get("set-cookie")).toBe(null);
  });

  it("only the operator makes such a link, for a user who may log in", async () => {
    const { service, dashboard, businessId, userId } = await withLink();
    const owner = { kind: "user", businessId, id: userId, role: "OWNER", sessionId: null } as const;
    expect((await service.sessions.issueLoginToken(owner, userId))._unsafeUnwrapErr().kind).toBe("forbidden");
    await expect(dashboard.oneTimeLogin({ businessId, userId: "999" })).rejects.toThrow();
    const others = await service.events.list({ kind: "system", businessId }, {});
    expect(JSON.stringify(others._unsafeUnwrap())).not.toContain("bgk_ot_");
  });

  it.each(["", "?token=", "?token=x", `?token=${"a".repeat(3_000)}`, "?token=bgk_ot_1.1.%0d%0aset-cookie:%20a=b"])(
    "an address that ends with %j leads to the dashboard without a session",
    async (query) => {
      const { browser } = await dashboardWorld();
      const answer = await browser().ask(`/enter${query}`);
      expect([answer.status, answer.headers.get("location"), answer.headers.get("set-cookie")]).toEqual([
        303,
        "/dashboard/",
        null,
      ]);
    },
  );
});
