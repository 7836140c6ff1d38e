import { createBudgetService, type Scope, scryptHasher } from "@budgetkit/core";
import type { ApiRequest } from "@budgetkit/core/http";
import type { Store } from "@budgetkit/core/store";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { drawInteger, drawOne, manualClock, memoryStore, rounds, SCALE, seededRandom } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";

type Random = ReturnType<typeof seededRandom>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const REQUESTS = rounds({ small: 500, full: 1_000 });
const SEEDS = SCALE === "full" ? [1, 2] : [1];
const PERIODS = { "1h": HOUR, "24h": DAY, "7d": 7 * DAY, "30d": 30 * DAY, "90d": 90 * DAY } as const;
type Period = keyof typeof PERIODS;

/** What was sent, how often it is, and under which route it has to appear. */
const ASKED = [
  ["GET", "/v1/api/public/budgets", "GET /api/public/budgets"],
  ["GET", "/v1/api/public/budgets", "GET /api/public/budgets"],
  ["GET", "/v1/api/public/budgets?page=0", "GET /api/public/budgets"],
  ["HEAD", "/api/public/budgets", "GET /api/public/budgets"],
  ["GET", "/v1/api/public/budgets/999", "GET /api/public/budgets/{budgetId}"],
  ["DELETE", "/v1/api/public/budgets/4242", "DELETE /api/public/budgets/{budgetId}"],
  ["POST", "/v1/budgets/public", "POST /api/budgets/public"],
  ["POST", "/v1/api/public/webhooks/test", "POST /api/public/webhooks/test"],
  ["GET", "/v1/api/public/nowhere", "GET (no route)"],
  ["PATCH", "/v1/api/public/budgets", "PATCH (no route)"],
  ["BREW", "/v1/api/public/budgets", "OTHER (no route)"],
] as const;

/** One answered request as the test remembers it: nothing is summed before it is asked for. */
interface Answered {
  readonly keyId: string;
  readonly at: number;
  readonly route: string;
  readonly status: number;
  readonly isRefusal: boolean;
  readonly durationMs: number;
}

const stores: Readonly<Record<string, () => Store>> = {
  "in memory": () => memoryStore(),
  "on SQLite": () => sqliteStore(":memory:"),
};

describe("usage statistics", () => {
  for (const [name, makeStore] of Object.entries(stores)) {
    for (const seed of SEEDS) {
      it(`statistics agree with a recount of all requests, ${name}, seed ${seed}`, { timeout: 60_000 }, async () => {
        const world = await openWorld(makeStore(), seed);
        for (let count = 0; count < REQUESTS; count += 1) {
          await world.live();
          if (count % 50 === 49) await world.compare();
        }
        await world.close();
      });
    }
  }
});

/** Two processes over one store, two keys, and a clock that moves on by moments or by days. */
async function openWorld(store: Store, seed: number) {
  const random = seededRandom(seed);
  const clock = manualClock("2026-01-30T22:00:00.000Z");
  const readings: number[] = [];
  const watched = {
    now: clock.now,
    monotonicMs: () => {
      const reading = (readings.at(-1) ?? clock.monotonicMs()) + drawInteger(random, 4_000) / 1_000;
      readings.push(reading);
      return reading;
    },
  };
  const makeService = () =>
    createBudgetService({
      store,
      clock: watched,
      random,
      secret: "a secret for tests that is long enough",
      passwordHasher: scryptHasher(random, { cost: 2 }),
    });
  const services = [makeService(), makeService()] as const;
  const [service] = services;
  const business = (await service.businesses.create({ name: "Norte", tier: "ENTERPRISE" }))._unsafeUnwrap();
  const actor = { kind: "system", businessId: business.id } as const;
  const makeKey = async (rateLimitPerHour: number) => {
    const scopes: Scope[] = ["READ_BUDGETS", "WRITE_BUDGETS"];
    return (await service.keys.create(actor, { name: "Shop", scopes, rateLimitPerHour }))._unsafeUnwrap();
  };
  const keys = [await makeKey(1_000), await makeKey(6)];
  const answered: Answered[] = [];

  async function ask(): Promise<void> {
    const key = drawOne(random, keys);
    const [method, target, route] = drawOne(random, ASKED);
    readings.length = 0;
    const response = await drawOne(random, services).handle(requestOf(method, target, key.key));
    const isRefusal = response.status === 429;
    const durationMs = (readings.at(-1) ?? 0) - (readings[0] ?? 0);
    answered.push({ keyId: key.id, at: clock.now(), route, status: response.status, isRefusal, durationMs });
  }

  return {
    live: async () => {
      clock.advance(drawPause(random));
      if (drawInteger(random, 15) === 0) await drawOne(random, services).tick();
      await ask();
    },
    compare: async () => {
      const asked = drawOne(random, services);
      for (const other of services) if (other !== asked) await other.tick();
      for (const period of Object.keys(PERIODS) as Period[]) {
        for (const { id } of keys) {
          const own = answered.filter(({ keyId }) => keyId === id);
          const shown = (await asked.usage.statistics(actor, id, { period }))._unsafeUnwrap();
          const { rateLimitStats, averageResponseTime, ...rest } = shown;
          const { currentUsage, limit, percentage, ...history } = rateLimitStats;
          const { averageMs, ...expected } = recount(own, period, clock.now());
          expect({ ...rest, ...history }).toEqual(expected);
          expect(Math.abs(averageResponseTime - averageMs)).toBeLessThan(0.006);
          const hour = own.filter(({ at, isRefusal }) => !isRefusal && at > clock.now() - HOUR);
          expect(currentUsage).toBe(hour.length);
          expect(percentage).toBeCloseTo((hour.length / limit) * 100, 1);
        }
        const shown = (await asked.usage.dashboard(actor, { period }))._unsafeUnwrap();
        const all = recount(answered, period, clock.now());
        expect(shown.requests).toEqual({
          total: all.totalRequests,
          successful: all.successfulRequests,
          errors: all.errorRequests,
          averageResponseTime: expect.closeTo(all.averageMs, 1),
        });
        expect([shown.topEndpoints, shown.dailyUsage]).toEqual([all.topEndpoints, all.dailyUsage]);
      }
    },
    close: async () => {
      expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([200, 400, 403, 404, 405, 429]));
      await Promise.all(services.map((each) => each.stop()));
      await store.close();
    },
  };
}

/** Mostly moments, so that minutes and limits fill; sometimes hours, now and then days. */
function drawPause(random: Random): number {
  const chance = drawInteger(random, 100);
  if (chance < 70) return drawInteger(random, 2 * MINUTE);
  if (chance < 90) return drawInteger(random, 90 * MINUTE);
  return chance < 98 ? drawInteger(random, DAY) : drawInteger(random, 6 * DAY);
}

function requestOf(method: string, target: string, credential: string): ApiRequest {
  return {
    method,
    target,
    header: (name) => (name === "authorization" ? `Bearer ${credential}` : null),
    readBody: async () => new Uint8Array(),
    streamBody: async function* () {},
    peerAddress: "127.0.0.1",
    original: null,
  };
}

/** Goes through every request, by the definitions of docs/statistics.md. */
function recount(answered: readonly Answered[], period: Period, now: number) {
  const length = PERIODS[period];
  const start = new Date(now - length);
  if (length <= DAY) start.setUTCSeconds(0, 0);
  else start.setUTCMinutes(0, 0, 0);
  const counted = answered.filter(({ at }) => at >= start.getTime());
  const errors = counted.filter(({ status }) => status >= 400).length;
  const durationMs = counted.reduce((sum, request) => sum + request.durationMs, 0);
  const hourOf = (at: number) => `${new Date(at).toISOString().slice(0, 13)}:00:00.000Z`;
  const busiest = tally(
    counted.filter(({ isRefusal }) => !isRefusal),
    ({ at }) => hourOf(at),
  ).sort(([a, n], [b, m]) => m - n || (a < b ? 1 : -1))[0] ?? [hourOf(now), 0];
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const dailyUsage = [];
  const today = dayOf(now);
  for (const day = new Date(start.toISOString().slice(0, 10)); ; day.setUTCDate(day.getUTCDate() + 1)) {
    const date = day.toISOString().slice(0, 10);
    const ofDay = counted.filter(({ at }) => dayOf(at) === date);
    const spentMs = ofDay.reduce((sum, request) => sum + request.durationMs, 0);
    const errors = ofDay.filter(({ status }) => status >= 400).length;
    const averageResponseTime = expect.closeTo(ofDay.length === 0 ? 0 : spentMs / ofDay.length, 1);
    dailyUsage.push({ date, requests: ofDay.length, errors, averageResponseTime });
    if (date === today) break;
  }
  return {
    period,
    totalRequests: counted.length,
    successfulRequests: counted.length - errors,
    errorRequests: errors,
    averageMs: counted.length === 0 ? 0 : durationMs / counted.length,
    topEndpoints: tally(counted, ({ route }) => route)
      .map(([route, count]) => {
        const space = route.indexOf(" ");
        return { endpoint: route.slice(space + 1), method: route.slice(0, space), count };
      })
      .sort((a, b) => b.count - a.count || (`${a.endpoint} ${a.method}` < `${b.endpoint} ${b.method}` ? -1 : 1))
      .slice(0, 10),
    dailyUsage,
    peakUsage: busiest[1],
    peakTime: [busiest[0], start.toISOString()].sort()[1],
    rateLimitHits: counted.filter(({ isRefusal }) => isRefusal).length,
    averageRequestsPerHour: Math.round((counted.length / (length / HOUR)) * 100) / 100,
  };
}

function tally<T>(entries: readonly T[], nameOf: (entry: T) => string): [string, number][] {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(nameOf(entry), (counts.get(nameOf(entry)) ?? 0) + 1);
  return [...counts];
}
