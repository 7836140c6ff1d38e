import { renameSync } from "node:fs";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openLimiter } from "../../packages/cli/src/settings/open-limiter.js";
import { noOwnRedis, startRedis } from "../../packages/limiter-redis/src/testing/redis-server.js";

const NOW = Date.UTC(2026, 2, 2);
const WINDOWS = [{ lengthMs: 3_600_000, limit: 3 }];

async function aRedis() {
  const server = await startRedis();
  onTestFinished(() => server.remove());
  return server;
}

describe("the limiter of the standalone server", () => {
  it.skipIf(noOwnRedis !== null)("the limiter uses the new Redis primary after a failover", async () => {
    const former = await aRedis();
    const next = await aRedis();
    const limiter = await openLimiter(former.address);
    onTestFinished(() => limiter.close());
    expect((await limiter.rateLimits.consume("a", WINDOWS, NOW)).refusal).toBeNull();

    const operator = new Redis(former.address);
    onTestFinished(() => operator.disconnect());
    await operator.replicaof("127.0.0.1", 1);
    renameSync(next.address, former.address); // the address is now the next server's; open connections stay with the former one

    await expect(limiter.rateLimits.consume("a", WINDOWS, NOW)).rejects.toThrow("READONLY");
    const decision = await vi.waitFor(() => limiter.rateLimits.consume("a", WINDOWS, NOW), { timeout: 120_000 });
    expect(decision.refusal).toBeNull();
    expect(await limiter.rateLimits.isReady()).toBe(true);
    expect(await operator.ping()).toBe("PONG"); // the former one still runs
  });
});
