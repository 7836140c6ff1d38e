import { randomUUID } from "node:crypto";
import { rounds } from "@budgetkit/testing";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type RedisLimiterOptions, redisLimiter } from "./index.js";
import { anyRedis, noOwnRedis, noRedis, startRedis } from "./testing/redis-server.js";

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 2, 2);
/** Timestamps in the long log. */
const LOGGED = rounds({ small: 5_000, full: 30_000 });
const HOURLY = [{ lengthMs: HOUR_MS, limit: 3 }];

describe("the Redis limiter", () => {
  it("refuses a timeout of the Redis limiter that is none", () => {
    const client = new Redis({ lazyConnect: true });
    for (const timeoutMs of [0, -1, Number.NaN]) {
      expect(() => redisLimiter(client, { timeoutMs })).toThrow(RangeError);
    }
  });
});

describe.skipIf(noRedis !== null)("the Redis limiter", () => {
  let server: Awaited<ReturnType<typeof anyRedis>>;
  let client: Redis;
  let keyPrefix: string;
  beforeAll(async () => {
    server = await anyRedis();
    client = new Redis(server.address);
  });
  afterAll(async () => {
    client.disconnect();
    await server.remove();
  });
  beforeEach(() => {
    keyPrefix = `${randomUUID()}:`;
  });

  const limiterOf = (options: RedisLimiterOptions = {}) =>
    redisLimiter(client, { keyPrefix, timeoutMs: 30_000, clock: "caller", ...options });

  it("keeps one Redis key a subject", async () => {
    const limiter = limiterOf();
    for (const subject of ["a", "a", "b"]) await limiter.consume(subject, HOURLY, NOW);
    expect((await client.keys(`${keyPrefix}*`)).sort()).toEqual([`${keyPrefix}a`, `${keyPrefix}b`]);
  });

  it("keeps services on a Redis apart by their prefix, and within that of the client", async () => {
    const prefixed = new Redis(server.address, { keyPrefix: "ours:" });
    for (const limits of [
      limiterOf(),
      limiterOf({ keyPrefix: `${keyPrefix}other:` }),
      redisLimiter(prefixed, { keyPrefix, clock: "caller" }),
    ]) {
      expect((await limits.consume("a", HOURLY, NOW)).used).toBe(1);
    }
    prefixed.disconnect();
    expect(await client.exists(`${keyPrefix}a`, `${keyPrefix}other:a`, `ours:${keyPrefix}a`)).toBe(3);
  });

  it("lets Redis forget a subject once a caller whose clock is a whole window behind would", async () => {
    const limiter = limiterOf();
    for (let asked = 0; asked < 4; asked += 1) await limiter.consume("a", HOURLY, NOW);
    const remains = await client.pttl(`${keyPrefix}a`);
    expect(remains).toBeGreaterThan(HOUR_MS);
    expect(remains).toBeLessThanOrEqual(2 * HOUR_MS);
    await limiter.consume("brief", [{ lengthMs: 5, limit: 1 }], NOW);
    await expect.poll(() => client.exists(`${keyPrefix}brief`)).toBe(0);
    expect(await limiter.pruneWindows(NOW + 10 * HOUR_MS, 10)).toBe(0);
  });

  it("takes admissions to be as old as before when the clock of Redis is set back", async () => {
    const windows = [
      { lengthMs: HOUR_MS, limit: 100 },
      { lengthMs: 60_000, limit: 500 },
    ];
    const ahead = Date.now() + 30 * HOUR_MS;
    for (let n = 0; n < 100; n += 1) {
      await limiterOf().consume("a", windows, ahead - (n < 50 ? 60_000 : 0));
    }
    const byRedis = limiterOf({ clock: "server" });
    expect(await byRedis.countConsumed("a", HOUR_MS, NOW)).toBe(100);
    const freesAt = NOW + HOUR_MS - 60_000;
    expect(await byRedis.consume("a", windows, NOW)).toEqual({ used: 100, freesAt, refusal: { window: 0, freesAt } });
    const narrowed = [
      { lengthMs: HOUR_MS, limit: 500 },
      { lengthMs: 60_000, limit: 51 }, // it counts 50
    ];
    expect((await byRedis.consume("a", narrowed, NOW)).refusal).toBeNull();
    const { refusal } = await byRedis.consume("a", narrowed, NOW);
    expect(refusal).toMatchObject({ window: 1 });
    expect(refusal?.freesAt).toBeGreaterThan(NOW);
    expect(refusal?.freesAt).toBeLessThanOrEqual(NOW + 60_000);
  });

  it("holds a step back of the Redis clock after the windows have passed by the caller's", async () => {
    const limiter = limiterOf();
    await limiter.consume("a", HOURLY, NOW);
    const held = await limiter.consume("a", HOURLY, NOW - HOUR_MS);
    expect(held).toEqual({ used: 2, freesAt: NOW + HOUR_MS, refusal: null });
  });

  it("decides by the clock of Redis by default, and reports times by the caller's", async () => {
    const limiter = redisLimiter(client, { keyPrefix, timeoutMs: 30_000 });
    const first = await limiter.consume("a", HOURLY, NOW);
    expect(first).toEqual({ used: 1, freesAt: NOW + HOUR_MS, refusal: null });
    const years = 50 * 365 * 24 * HOUR_MS;
    for (const now of [NOW - years, NOW + years]) {
      const { freesAt } = await limiter.consume("a", HOURLY, now);
      const waitMs = freesAt - now;
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(HOUR_MS);
    }
    const { used, freesAt, refusal } = await limiter.consume("a", HOURLY, 0);
    expect([used, refusal]).toEqual([3, { window: 0, freesAt }]);
    expect(await limiter.countConsumed("a", HOUR_MS, NOW)).toBe(3);
  });

  it("keeps eight bytes an admission in Redis, and no more as the window moves on", async () => {
    const limiter = limiterOf();
    const limit = rounds({ small: 1_000, full: 10_000 });
    const windows = [{ lengthMs: HOUR_MS, limit }];
    await limiter.consume("a", windows, NOW);
    for (const hour of [0, 1, 2]) {
      const decisions = Array.from({ length: limit }, (_, n) =>
        limiter.consume("a", windows, NOW + hour * HOUR_MS + n),
      );
      await Promise.all(decisions);
    }
    expect(await limiter.countConsumed("a", HOUR_MS, NOW + 2 * HOUR_MS + limit)).toBe(limit);
    expect(await client.strlen(`${keyPrefix}a`)).toBe(32 + 8 * limit);
  });

  it("reports the longest of full windows that free at once", async () => {
    const windows = [
      { lengthMs: 1_000, limit: 2 },
      { lengthMs: 100, limit: 1 },
    ];
    const limiter = limiterOf();
    for (const offset of [0, 900]) await limiter.consume("a", windows, NOW + offset);
    expect(await limiter.consume("a", windows, NOW + 950)).toEqual({
      used: 2,
      freesAt: NOW + 1_000,
      refusal: { window: 0, freesAt: NOW + 1_000 },
    });
  });

  it("takes one round trip a decision on Redis", async () => {
    const limiter = limiterOf();
    await limiter.consume("a", HOURLY, NOW);
    const sent = vi.spyOn(client, "sendCommand");
    await limiter.consume("a", HOURLY, NOW);
    expect(sent).toHaveBeenCalledTimes(1);
    sent.mockRestore();
  });

  it("reads integers that the Redis client gives as text", async () => {
    const texts = new Redis(server.address, { stringNumbers: true });
    const admission = await redisLimiter(texts, { keyPrefix }).consume("a", HOURLY, NOW);
    expect(admission).toEqual({ used: 1, freesAt: NOW + HOUR_MS, refusal: null });
    texts.disconnect();
  });

  it("reports that the Redis limiter is ready, and leaves the client open", async () => {
    expect(await limiterOf().isReady()).toBe(true);
    expect(client.status).toBe("ready");
  });
});

describe.skipIf(noOwnRedis !== null)("a decision over a long log", () => {
  it("reads a few timestamps of a long log in Redis, also when all of them leave at once", async () => {
    const server = await startRedis(); // its own server, because the test counts all reads
    onTestFinished(() => server.remove());
    const client = new Redis(server.address);
    onTestFinished(() => client.disconnect());
    const readsSoFar = async () => {
      const [, calls] = /cmdstat_getrange:calls=(\d+)/.exec(await client.info("commandstats")) ?? [];
      return Number(calls);
    };
    const limiter = redisLimiter(client, { timeoutMs: 30_000, clock: "caller" });
    const windows = [
      { lengthMs: HOUR_MS, limit: 50_000 },
      { lengthMs: 60_000, limit: 40_000 },
    ];
    await limiter.consume("a", windows, NOW);
    await Promise.all(Array.from({ length: LOGGED }, (_, n) => limiter.consume("a", windows, NOW + n)));
    for (const now of [NOW + LOGGED, NOW + 80_000, NOW + HOUR_MS + 15_000, NOW + 3 * HOUR_MS]) {
      const before = await readsSoFar();
      await limiter.consume("a", windows, now);
      expect((await readsSoFar()) - before).toBeLessThan(50);
    }
  });
});
