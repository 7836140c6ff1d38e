import assert from "node:assert/strict";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@budgetkit/core/store";
import type { HttpCases } from "./cases.js";
import { assertStatus, BUDGETS, createBudget } from "./samples.js";
import { START } from "./world.js";

const DASHBOARD = "/api/developer/dashboard/stats";
const statsOf = ({ id }: { readonly id: string }, period = "") =>
  `/api-keys/${id}/stats${period === "" ? "" : `?period=${period}`}`;

export function usageCases(cases: HttpCases): void {
  keyCases(cases);
  periodCases(cases);
  accessCases(cases);
}

function keyCases({ it }: HttpCases): void {
  it("the statistics of a key have every field before the first request", async ({ owner, full }) => {
    const stats = assertStatus(await owner.get(statsOf(full, "1h")), 200);
    assert.deepEqual(JSON.parse(stats.body), {
      period: "1h",
      totalRequests: 0,
      successfulRequests: 0,
      errorRequests: 0,
      averageResponseTime: 0,
      topEndpoints: [],
      dailyUsage: [{ date: "2026-03-02", requests: 0, errors: 0, averageResponseTime: 0 }],
      rateLimitStats: {
        currentUsage: 0,
        limit: 1_000,
        percentage: 0,
        peakUsage: 0,
        peakTime: START,
        rateLimitHits: 0,
        averageRequestsPerHour: 0,
      },
    });
  });

  it("statistics count the requests of a key at once, by the route's pattern", async ({ owner, full, reader }) => {
    const id = await createBudget(full);
    for (let times = 0; times < 3; times += 1) await full.get(`${BUDGETS}/${id}`);
    await full.send("HEAD", `${BUDGETS}/${id}`);
    await full.get(`${BUDGETS}/999999`);
    await full.get(`${BUDGETS}?page=0`);
    await full.get("/api/public/nowhere");
    await full.post("/budgets/public", {});
    await reader.get(BUDGETS); // another key
    const stats = assertStatus(await owner.get(statsOf(full)), 200);
    stats.assertAt({ period: "7d", totalRequests: 9, successfulRequests: 5, errorRequests: 4 });
    assert.deepEqual(stats.at("topEndpoints"), [
      { endpoint: `${BUDGETS}/{budgetId}`, method: "GET", count: 5 },
      { endpoint: "(no route)", method: "GET", count: 1 },
      { endpoint: "/api/budgets/public", method: "POST", count: 1 },
      { endpoint: BUDGETS, method: "GET", count: 1 },
      { endpoint: BUDGETS, method: "POST", count: 1 },
    ]);
    stats.assertAt({ "rateLimitStats.currentUsage": 9, "rateLimitStats.percentage": 0.9 });
    assert.equal(stats.at("rateLimitStats.averageRequestsPerHour"), 0.05);
  });

  it("the statistics of a key report refusals by the rate limit, which do not count towards the limit", async (world) => {
    const key = await world.withKey({ rateLimitPerHour: 2 });
    for (let times = 0; times < 5; times += 1) await key.get(BUDGETS);
    const stats = await world.owner.get(statsOf(key, "1h"));
    stats.assertAt({ totalRequests: 5, errorRequests: 3 });
    const { rateLimitHits, currentUsage, percentage, peakUsage } = JSON.parse(stats.body).rateLimitStats;
    assert.deepEqual([rateLimitHits, currentUsage, percentage, peakUsage], [3, 2, 100, 2]);
  });

  it("the statistics of a key leave out unauthenticated requests, and those of users", async (world) => {
    const key = await world.withKey({ allowedIps: ["203.0.113.7"] });
    await key.get(BUDGETS);
    await world.as(`${world.full.key}x`).get(BUDGETS);
    await world.owner.get("/api-keys");
    assert.equal((await world.owner.get(statsOf(key))).at("totalRequests"), 0);
    assert.equal((await world.owner.get(DASHBOARD)).at("requests.total"), 0);
  });

  it("the statistics of a key list at most the ten most requested routes", async ({ owner, full }) => {
    const acts = ["submit", "withdraw", "complete", "archive", "restore", "duplicate", "reopen", "public-link"];
    for (const act of acts) await full.post(`${BUDGETS}/1/${act}`);
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) await full.send(method, `${BUDGETS}/1`);
    const top = (await owner.get(statsOf(full))).at("topEndpoints");
    assert.ok(Array.isArray(top));
    assert.equal(top.length, 10);
  });

  it("a revoked key still has statistics", async ({ owner, full }) => {
    await full.get(BUDGETS);
    await owner.delete(`/api-keys/${full.id}`);
    await full.get(BUDGETS);
    assert.equal(assertStatus(await owner.get(statsOf(full)), 200).at("totalRequests"), 1);
  });
}

function periodCases({ it }: HttpCases): void {
  it("the period of statistics slides: requests older than its length and a minute, or an hour, have left it", async (world) => {
    const { service, business, full, clock } = world;
    await full.get(BUDGETS);
    const totals = async () => {
      const shown = ["1h", "24h", "7d"] as const;
      const stats = shown.map((period) => service.usage.statistics(business, full.id, { period }));
      return (await Promise.all(stats)).map((each) => each._unsafeUnwrap().totalRequests);
    };
    clock.advance(HOUR_MS);
    assert.deepEqual(await totals(), [1, 1, 1]);
    clock.advance(MINUTE_MS);
    assert.deepEqual(await totals(), [0, 1, 1]);
    clock.advance(DAY_MS - HOUR_MS);
    assert.deepEqual(await totals(), [0, 0, 1]);
    clock.set("2026-03-09T12:59:59.999Z");
    assert.deepEqual(await totals(), [0, 0, 1]);
    clock.advance(1);
    assert.deepEqual(await totals(), [0, 0, 0]);
  });

  it("statistics list each day in UTC, those without requests too", async ({ service, business, full, clock }) => {
    const asked = async () => {
      const stats = await service.usage.statistics(business, full.id, { period: "7d" });
      return stats._unsafeUnwrap().dailyUsage.map(({ date, requests }) => `${date.slice(5)} ${requests}`);
    };
    await full.get(BUDGETS);
    clock.set("2026-03-02T23:59:59.999Z");
    await full.get(BUDGETS);
    clock.set("2026-03-03T00:00:00.000Z");
    await full.get(BUDGETS);
    clock.set("2026-03-05T06:30:00.000Z");
    const empty = ["02-26 0", "02-27 0", "02-28 0", "03-01 0"];
    assert.deepEqual(await asked(), [...empty, "03-02 2", "03-03 1", "03-04 0", "03-05 0"]);
    clock.set("2026-03-09T13:00:00.000Z");
    assert.deepEqual((await asked()).slice(0, 2), ["03-02 1", "03-03 1"]);
    clock.set("2026-03-10T01:00:00.000Z");
    assert.deepEqual((await asked()).slice(0, 2), ["03-03 0", "03-04 0"]);
  });

  it("statistics report the busiest hour, of equal ones the latest", async ({ service, business, full, clock }) => {
    const peak = async () => {
      const stats = await service.usage.statistics(business, full.id, { period: "24h" });
      const { peakUsage, peakTime } = stats._unsafeUnwrap().rateLimitStats;
      return [peakUsage, peakTime];
    };
    for (let times = 0; times < 2; times += 1) await full.get(BUDGETS);
    clock.set("2026-03-02T15:10:00.000Z");
    for (let times = 0; times < 2; times += 1) await full.get(BUDGETS);
    assert.deepEqual(await peak(), [2, "2026-03-02T15:00:00.000Z"]);
    clock.set("2026-03-02T16:10:00.000Z");
    await full.get(BUDGETS);
    assert.deepEqual(await peak(), [2, "2026-03-02T15:00:00.000Z"]);
    clock.set("2026-03-03T15:10:59.000Z");
    assert.deepEqual(await peak(), [2, "2026-03-02T15:10:00.000Z"]);
    clock.set("2026-03-03T15:11:00.000Z");
    assert.deepEqual(await peak(), [1, "2026-03-02T16:00:00.000Z"]);
  });

  for (const period of ["1h", "24h", "7d", "30d", "90d"]) {
    it(`statistics accept the period ${period}`, async ({ owner, full }) => {
      await full.get(BUDGETS);
      assertStatus(await owner.get(statsOf(full, period)), 200).assertAt({ period, totalRequests: 1 });
    });
  }

  for (const period of ["", "1d", "7D", "90d ", "1h&period=7d"]) {
    it(`statistics refuse the period ${JSON.stringify(period)}`, async ({ owner, full }) => {
      for (const path of [`/api-keys/${full.id}/stats`, DASHBOARD]) {
        const refused = assertStatus(await owner.get(`${path}?period=${encodeURI(period)}`), 400);
        refused.assertAt({ "error.code": "VALIDATION_ERROR", "error.details.0.field": "period" });
      }
    });
  }
}

function accessCases({ it }: HttpCases): void {
  it("every user of the business reads statistics, at both paths", async ({ owner, member, full }) => {
    await full.get(BUDGETS);
    for (const user of [owner, member]) {
      for (const path of [statsOf(full), `/api/developer${statsOf(full)}`]) {
        assert.equal(assertStatus(await user.get(path), 200).at("totalRequests"), 1);
      }
      assertStatus(await user.get(DASHBOARD), 200);
    }
  });

  it("finds no statistics of another business's key, and none of its requests in the dashboard (404)", async (world) => {
    await world.full.get(BUDGETS);
    await createBudget(world.full);
    for (const id of [world.full.id, "999999", "abc", "-1", "0"]) {
      assertStatus(await world.otherOwner.get(`/api-keys/${id}/stats`), 404);
    }
    const theirs = await world.otherOwner.get(DASHBOARD);
    theirs.assertAt({ "requests.total": 0, "apiKeys.byStatus.ACTIVE": 0, "budgets.valueByCurrency": {} });
  });
}
