import { randomUUID } from "node:crypto";
import { createBudgetService, createMemoryRateLimitStore, type RateLimitStore, type Store } from "@budgetkit/core";
import { insertBusinessCommit } from "@budgetkit/core/store";
import { redisLimiter } from "@budgetkit/limiter-redis";
import { sqliteStore } from "@budgetkit/store-sqlite";
import { aBusiness, manualClock, memoryStore, SCALE } from "@budgetkit/testing";
import { Redis } from "ioredis";
import { afterAll, describe, expect, it } from "vitest";
import { admitUserRequest } from "../../packages/core/src/limits/rate-limiter.js";
import { anyRedis, noRedis } from "../../packages/limiter-redis/src/testing/redis-server.js";
import { testStores } from "../../packages/store-postgres/src/testing/test-schema.js";
import { askDirectly } from "../hosts/direct-host.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Where the windows are kept; null = in the store. */
interface Limiter {
  readonly store: Store;
  readonly rateLimits: RateLimitStore | null;
}

const postgres = testStores();
const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

const LIMITERS: Readonly<Record<string, () => Promise<Limiter>>> = {
  "the store in memory": async () => ({ store: memoryStore(), rateLimits: null }),
  SQLite: async () => ({ store: sqliteStore(":memory:"), rateLimits: null }),
  PostgreSQL: async () => ({ store: (await postgres.open()).store, rateLimits: null }),
  "the memory limiter": async () => ({ store: memoryStore(), rateLimits: createMemoryRateLimitStore() }),
  ...(noRedis === null ? { Redis: overRedis } : {}),
};

async function overRedis(): Promise<Limiter> {
  const server = await anyRedis();
  const client = new Redis(server.address);
  closers.push(async () => {
    client.disconnect();
    await server.remove();
  });
  const keyPrefix = `${randomUUID()}:`;
  return { store: memoryStore(), rateLimits: redisLimiter(client, { keyPrefix, clock: "caller", timeoutMs: 30_000 }) };
}

describe.each(Object.entries(LIMITERS))("The limit of a user in %s", (_name, makeLimiter) => {
  it("the limit of a user spans two services, apart from keys and other users, and frees with the minute and hour", async () => {
    const { store, rateLimits } = await makeLimiter();
    const clock = manualClock();
    const makeService = () =>
      createBudgetService({
        store,
        clock,
        secret: "a secret for tests that is long enough",
        resolveUser: (request) => ({ businessId: "1", userId: request.header("x-user") ?? "", role: "MEMBER" }),
        ...(rateLimits === null ? {} : { rateLimits }),
      });
    const services = [makeService(), makeService()] as const;
    closers.push(async () => {
      for (const service of services) await service.stop();
      await store.close();
    });
    await store.migrate();
    await store.commit(insertBusinessCommit(aBusiness({ id: "1", tier: "STANDARD" })));
    const host = { kind: "system", businessId: "1" } as const;
    const key = (await services[0].keys.create(host, { name: "a", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
    const ask = async (headers: Readonly<Record<string, string>>, turn = 0) => {
      const request = { method: "GET", path: "/v1/api/public/budgets", headers, body: null };
      const { status, headers: answered } = await askDirectly(services[turn % 2 === 0 ? 0 : 1], request);
      return [status, answered["x-ratelimit-remaining"]];
    };
    const user = { "x-user": key.id }; // the id of the key

    const turns = Array.from({ length: 130 }, (_, turn) => ask(user, turn));
    const admitted = (await Promise.all(turns)).filter(([status]) => status === 200);
    expect(admitted).toHaveLength(100);
    expect(await ask(user)).toEqual([429, "0"]); // in the words of the minute
    expect(await ask({ authorization: `Bearer ${key.key}` })).toEqual([200, "999"]);
    expect(await ask({ "x-user": `1:${key.id}` }, 1)).toEqual([200, "999"]);

    const admittedUser = { businessId: "1", id: key.id, rateLimitPerHour: 1_000, burst: null };
    // What a request does first; a small run leaves out the rest of it.
    const charge = () => admitUserRequest(rateLimits ?? store, admittedUser, clock.now());
    for (let minute = 1; minute < 10; minute += 1) {
      clock.advance(MINUTE_MS);
      expect((await ask(user, minute))[0]).toBe(200);
      for (let turn = 1; turn < 99; turn += 1) {
        if (SCALE === "full") expect((await ask(user, turn))[0]).toBe(200);
        else expect((await charge()).refusal).toBeNull();
      }
      expect(await ask(user, minute)).toEqual([200, String(900 - 100 * minute)]);
    }
    clock.advance(MINUTE_MS);
    expect(await ask(user)).toEqual([429, "0"]);
    clock.advance(HOUR_MS - 10 * MINUTE_MS - 1);
    expect(await ask(user)).toEqual([429, "0"]);
    clock.advance(1);
    expect(await ask(user, 1)).toEqual([200, "99"]);
  });
});

describe("The option userRateLimit", () => {
  const secret = "a secret for tests that is long enough";

  it.each([
    [{ perMinute: 150 }, 150, '"hour";q=1000;w=3600, "burst";q=150;w=60'],
    [{ perHour: 9_000 }, 300, '"hour";q=9000;w=3600, "burst";q=300;w=60'],
    [{ perHour: 50, perMinute: 3 }, 3, '"hour";q=50;w=3600, "burst";q=3;w=60'],
  ])("userRateLimit sets the windows of each user, and of no key: %j", async (userRateLimit, admitted, policy) => {
    const service = createBudgetService({
      store: memoryStore(),
      secret,
      clock: manualClock(),
      userRateLimit,
      resolveUser: (request) => ({ businessId: "1", userId: request.header("x-user") ?? "7", role: "MEMBER" }),
    });
    closers.push(() => service.stop());
    const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const host = { kind: "system", businessId: business.id } as const;
    const key = (await service.keys.create(host, { name: "a", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
    const ask = (headers: Readonly<Record<string, string>>) =>
      askDirectly(service, { method: "GET", path: "/v1/api/public/budgets", headers, body: null });
    for (let turn = 0; turn < admitted; turn += 1) expect((await ask({})).status).toBe(200);
    const refused = await ask({});
    expect(refused.status).toBe(429);
    expect(refused.headers["x-ratelimit-remaining"]).toBe("0");
    expect(refused.headers["ratelimit-policy"]).toBe(policy);
    expect((await ask({ "x-user": "8" })).status).toBe(200);
    const ofKey = await ask({ authorization: `Bearer ${key.key}` });
    expect(ofKey.headers["ratelimit-policy"]).toBe('"hour";q=1000;w=3600, "burst";q=100;w=60');
  });

  it.each([{ perHour: 0 }, { perHour: 1.5 }, { perMinute: -1 }, { perMinute: 100_001 }, { perDay: 5 }])(
    "userRateLimit refuses %j",
    (userRateLimit) => {
      const options = { store: memoryStore(), secret, userRateLimit };
      expect(() => Reflect.apply(createBudgetService, undefined, [options])).toThrow(/userRateLimit/);
    },
  );
});
