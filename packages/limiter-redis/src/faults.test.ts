import { execFileSync } from "node:child_process";
import { createBudgetService } from "@budgetkit/core";
import { type RateLimitStore, StoreUnavailable } from "@budgetkit/core/store";
import { memoryStore } from "@budgetkit/testing";
import { Cluster, Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { redisLimiter } from "./index.js";
import { noOwnRedis, type RedisServer, startCluster, startRedis } from "./testing/redis-server.js";

const NOW = Date.UTC(2026, 2, 2);
const WINDOWS = [{ lengthMs: 3_600_000, limit: 3 }];

function closedInTheEnd<Client extends Redis | Cluster>(client: Client): Client {
  client.on("error", () => {});
  onTestFinished(() => client.disconnect());
  return client;
}

/** Asks until Redis decides. */
function recovered(limiter: RateLimitStore, subject: string) {
  return vi.waitFor(() => limiter.consume(subject, WINDOWS, NOW), { timeout: 120_000, interval: 20 });
}

describe.skipIf(noOwnRedis !== null)("when Redis", () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await startRedis();
  });
  afterEach(() => server.remove());

  function connect({ lazyConnect = false } = {}): Redis {
    return closedInTheEnd(new Redis(server.address, { retryStrategy: () => 10, lazyConnect }));
  }

  it("ends each decision when Redis is killed, and recovers when it restarts", async () => {
    const limiter = redisLimiter(connect(), { timeoutMs: 200 });
    await recovered(limiter, "a");
    const underWay = Array.from({ length: 500 }, (_, n) => limiter.consume(`subject ${n}`, WINDOWS, NOW));
    const [outcomes] = await Promise.all([Promise.allSettled(underWay), server.kill()]);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(StoreUnavailable);
    }
    await expect(limiter.consume("a", WINDOWS, NOW)).rejects.toThrow(StoreUnavailable);
    await expect(limiter.countConsumed("a", 3_600_000, NOW)).rejects.toThrow(StoreUnavailable);
    expect(await limiter.isReady()).toBe(false);
    await server.restart();
    await recovered(limiter, "a");
    await expect.poll(() => limiter.isReady()).toBe(true);
  });

  it("leaves no queue to be charged later when Redis is away or hangs", async () => {
    const client = connect();
    const limiter = redisLimiter(client, { timeoutMs: 100 });
    await recovered(limiter, "before");
    const sent = vi.spyOn(client, "evalsha");
    const refused = async (subject: string) => {
      for (let asked = 0; asked < 10; asked += 1) {
        await expect(limiter.consume(subject, WINDOWS, NOW)).rejects.toThrow(StoreUnavailable);
      }
    };

    server.signal("SIGSTOP");
    await refused("a");
    expect(sent).toHaveBeenCalledTimes(1);
    await refused("b");
    expect(sent).toHaveBeenCalledTimes(2);
    expect(await limiter.isReady()).toBe(false);
    server.signal("SIGCONT");
    for (const subject of ["a", "b", "c"]) await recovered(limiter, subject);

    await server.kill();
    await expect.poll(() => client.status).not.toBe("ready");
    sent.mockClear();
    await refused("a");
    expect(sent).not.toHaveBeenCalled();
  });

  it("bounds the calls sent to a Redis that hangs, for any number of subjects", async () => {
    const client = connect();
    const limiter = redisLimiter(client, { timeoutMs: 200 });
    await recovered(limiter, "before");
    server.signal("SIGSTOP");
    await Promise.allSettled(Array.from({ length: 1_000 }, (_, n) => limiter.consume(`subject ${n}`, WINDOWS, NOW)));
    const sent = vi.spyOn(client, "evalsha");
    await expect(limiter.consume("another", WINDOWS, NOW)).rejects.toThrow("1000 earlier calls");
    expect(sent).not.toHaveBeenCalled();
    server.signal("SIGCONT");
    await recovered(limiter, "another");
  });

  it("reports that it is not ready while Redis is a replica", async () => {
    const client = connect();
    const limiter = redisLimiter(client, { timeoutMs: 30_000 });
    expect(await limiter.isReady()).toBe(true);
    await client.replicaof("127.0.0.1", 1);
    await expect(limiter.consume("a", WINDOWS, NOW)).rejects.toThrow("READONLY");
    expect(await limiter.isReady()).toBe(false);
    await client.replicaof("NO", "ONE");
    expect(await limiter.isReady()).toBe(true);
    expect((await limiter.consume("a", WINDOWS, NOW)).refusal).toBeNull();
    expect(await client.keys("*")).toEqual(["budgetkit:limits:a"]);
  });

  it("reports that it is not ready when Redis has no memory for a decision", async () => {
    const client = connect();
    const limiter = redisLimiter(client, { timeoutMs: 30_000 });
    await client.config("SET", "maxmemory", "1");
    await expect(limiter.consume("a", WINDOWS, NOW)).rejects.toThrow("OOM");
    expect(await limiter.isReady()).toBe(false);
  });

  it("decides again after Redis Cluster was killed and started again", async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.remove());
    const nodes = [{ host: "127.0.0.1", port: cluster.port }];
    const client = closedInTheEnd(new Cluster(nodes, { clusterRetryStrategy: () => 10 }));
    const limiter = redisLimiter(client, { timeoutMs: 200 });
    await recovered(limiter, "a");
    await expect.poll(() => limiter.isReady()).toBe(true);
    await cluster.kill();
    await expect(limiter.consume("a", WINDOWS, NOW)).rejects.toThrow(StoreUnavailable);
    await cluster.restart();
    await recovered(limiter, "a");
  });

  it("decides again after Redis lost its scripts", async () => {
    const client = connect();
    const limiter = redisLimiter(client, { timeoutMs: 30_000 });
    await limiter.consume("a", WINDOWS, NOW);
    const flushed = client.script("FLUSH");
    const decisions = await Promise.all([1, 2, 3].map(() => limiter.consume("a", WINDOWS, NOW)));
    await flushed;
    expect(decisions.filter(({ refusal }) => refusal === null)).toHaveLength(2);
    await client.script("FLUSH");
    expect(await limiter.countConsumed("a", 3_600_000, NOW)).toBe(3);
  });

  it("refuses decisions until a Redis that was away at the start is there", async () => {
    await server.kill();
    const limiter = redisLimiter(connect({ lazyConnect: true }), { timeoutMs: 50 });
    await expect(limiter.consume("a", WINDOWS, NOW)).rejects.toThrow("not connected");
    await server.restart();
    await recovered(limiter, "a");
  });

  it("connects at the first decision when the client has not connected", async () => {
    const limiter = redisLimiter(connect({ lazyConnect: true }), { timeoutMs: 30_000 });
    expect((await limiter.consume("a", WINDOWS, NOW)).refusal).toBeNull();
  });

  it("refuses decisions on a Redis client that the caller closed", async () => {
    const client = connect();
    const limiter = redisLimiter(client, { timeoutMs: 30_000 });
    await limiter.consume("a", WINDOWS, NOW);
    await client.quit();
    await expect(limiter.consume("a", WINDOWS, NOW)).rejects.toThrow(StoreUnavailable);
    await expect.poll(() => client.status).toBe("end");
    await expect(limiter.consume("a", WINDOWS, NOW)).rejects.toThrow("the Redis client was closed");
  });

  it("refuses a decision with the reason when something else is under the key", async () => {
    const client = connect();
    await client.lpush("budgetkit:limits:a", "something else");
    const failure = redisLimiter(client, { timeoutMs: 30_000 }).consume("a", WINDOWS, NOW);
    await expect(failure).rejects.toThrow(StoreUnavailable);
    await expect(failure).rejects.toThrow("WRONGTYPE");
  });

  it("takes an answer of Redis that came while this process was too busy to read it", async () => {
    const client = connect();
    const limiter = redisLimiter(client, { timeoutMs: 300 });
    await recovered(limiter, "before");
    const decision = limiter.consume("a", WINDOWS, NOW);
    await new Promise((resolve) => setImmediate(resolve)); // the command is on its way
    const busyUntil = performance.now() + 400;
    const isAnswered = () =>
      execFileSync("redis-cli", ["-s", server.address, "EXISTS", "budgetkit:limits:a"]).toString().trim() === "1";
    while (!isAnswered() || performance.now() < busyUntil);
    expect((await decision).refusal).toBeNull();
  });

  it("admits while Redis is away if the host asks for `admit`, and passes each error on", async () => {
    const errors: unknown[] = [];
    const onError = (error: StoreUnavailable) => errors.push(error);
    const client = connect();
    const patient = redisLimiter(client, { timeoutMs: 30_000, whenUnavailable: "admit", onError });
    for (let asked = 0; asked < 4; asked += 1) await patient.consume("a", WINDOWS, NOW);
    expect(errors).toEqual([]);
    await server.kill();
    const limiter = redisLimiter(client, { timeoutMs: 100, whenUnavailable: "admit", onError });
    expect(await limiter.consume("a", WINDOWS, NOW)).toEqual({
      used: 1,
      freesAt: NOW + 3_600_000,
      refusal: null,
    });
    expect(await limiter.countConsumed("a", 3_600_000, NOW)).toBe(0);
    expect(await limiter.isReady()).toBe(false);
    expect(errors).toHaveLength(2);
    for (const error of errors) expect(error).toBeInstanceOf(StoreUnavailable);
  });

  it("answers 503 with Retry-After while Redis is away, and serves again afterwards", async () => {
    const onError = vi.fn();
    const rateLimits = redisLimiter(connect(), { timeoutMs: 200 });
    const service = createBudgetService({ store: memoryStore(), secret: "s".repeat(32), rateLimits, onError });
    const business = (await service.businesses.create({ name: "Norte" }))._unsafeUnwrap();
    const actor = { kind: "system", businessId: business.id } as const;
    const key = (await service.keys.create(actor, { name: "k", scopes: ["READ_BUDGETS"] }))._unsafeUnwrap();
    const headers = { authorization: `Bearer ${key.key}` };
    const list = () => service.fetch(new Request("https://host.example/v1/api/public/budgets", { headers }));
    await expect.poll(async () => (await list()).status).toBe(200);
    await server.kill();
    const refused = await list();
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(onError).toHaveBeenLastCalledWith(expect.any(StoreUnavailable), expect.any(String));
    await service.tick();
    await server.restart();
    await expect.poll(async () => (await list()).status).toBe(200);
  });
});
