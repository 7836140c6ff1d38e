import type { ApiRequest } from "@budgetkit/core/http";
import { describe, expect, it } from "vitest";
import { dashboardWorld, mounts } from "./dashboard-world.js";

const BUDGETS = "/service/api/public/budgets";

describe.each(Object.keys(mounts))("the dashboard with the session of the host, behind %s", (mount) => {
  async function hosted() {
    let businessId = "";
    const seen: (string | null)[] = [];
    const resolveUser = async (request: ApiRequest) => {
      seen.push(request.header("authorization"));
      return request.header("cookie")?.includes("host=of-carla")
        ? ({ businessId, userId: "carla-7", role: "MEMBER" } as const)
        : null;
    };
    const world = await dashboardWorld({ mount, service: { resolveUser } });
    businessId = world.businessId;
    const carla = world.browser();
    carla.cookies.set("host", "of-carla");
    return { ...world, carla, seen };
  }

  it("the host's user is signed in, and the document shows no form", async () => {
    const { carla, browser, businessId } = await hosted();
    expect(await (await carla.ask("/")).text()).toContain('data-session="host"');
    const user = {
      userId: "carla-7",
      businessId,
      role: "MEMBER",
      scopes: ["READ_BUDGETS", "WRITE_BUDGETS", "READ_CUSTOMERS", "WRITE_CUSTOMERS", "READ_PRODUCTS"],
      email: null,
      displayName: null,
    };
    const session = await carla.ask("/session");
    expect([session.status, JSON.parse(await session.text())]).toEqual([200, { data: user }]);
    expect((await browser().ask("/session")).status).toBe(401);
    expect((await carla.ask(BUDGETS)).status).toBe(200);
    expect((await browser().ask(BUDGETS)).status).toBe(401);
  });

  it("there is no login, no logout and no link, and no cookie is set", async () => {
    const { carla, dashboard, businessId, userId } = await hosted();
    expect((await carla.logIn()).status).toBe(405);
    expect((await carla.ask("/session", { method: "DELETE" })).status).toBe(405);
    const link = await dashboard.oneTimeLogin({ businessId, userId });
    expect((await carla.ask(link.slice("/dashboard".length))).status).toBe(404);
    expect(carla.lastSet).toBe(null);
  });

  it("writes need the header of the page here too, and a bearer token of the page reaches no one", async () => {
    const { carla, seen } = await hosted();
    const body = { customerId: "c-1", items: [{ description: "Oak table", quantity: 1, unitPrice: 450 }] };
    const without = { "x-budgetkit-dashboard": "" };
    expect((await carla.ask(BUDGETS, { method: "POST", body, headers: without })).status).toBe(403);
    const headers = { authorization: "Bearer bgk_of-someone" };
    expect((await carla.ask(BUDGETS, { method: "POST", body, headers })).status).toBe(201);
    expect(seen.every((authorization) => authorization === null)).toBe(true);
    expect((await carla.ask(`${BUDGETS}/999`, { method: "DELETE" })).status).not.toBe(401);
  });

  it("an answer of resolveUser that cannot be read is 500, and is reported", async () => {
    const wrong: object = { businessId: "1", userId: "1", role: "CHIEF" };
    const resolveUser = async () => JSON.parse(JSON.stringify(wrong));
    const { browser, errors } = await dashboardWorld({ mount, service: { resolveUser } });
    const answer = await browser().ask("/session");
    expect([answer.status, JSON.parse(await answer.text()).error]).toEqual([500, "internal_error"]);
    expect(errors).toMatchObject([{ name: "RangeError" }]);
  });
});
