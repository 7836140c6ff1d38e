import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import { noOwnRedis, startRedisOnPort } from "../../packages/limiter-redis/src/testing/redis-server.js";
import { quickServer } from "../programs/build-programs.js";
import { freePort, startProgram } from "../programs/running-program.js";
import { serveHere } from "../programs/server-here.js";

const email = "admin@example.com";
const password = "correct horse battery";

describe("the standalone server with REDIS_URL", () => {
  it.skipIf(noOwnRedis !== null)("counts rate limits in Redis, and is not ready while Redis is away", async () => {
    const redis = await startRedisOnPort();
    onTestFinished(() => redis.remove());
    const { url } = await serveHere({
      DATABASE_URL: "memory:",
      BUDGETKIT_ADMIN_PASSWORD: password,
      REDIS_URL: redis.address,
    });
    const logIn = () =>
      fetch(`${url}/v1/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, password: "a wrong one" }),
      });
    expect((await logIn()).status).toBe(401);
    const client = new Redis(redis.address);
    expect(await client.dbsize()).toBeGreaterThan(0);
    client.disconnect();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);

    await redis.kill();
    const refused = await logIn();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: 120_000 }).toBe(503);
  });

  it("refuses to start when Redis cannot be reached, without printing the password", async () => {
    const port = await freePort();
    const server = startProgram(await quickServer(), {
      PORT: "0",
      DATABASE_URL: "memory:",
      REDIS_URL: `redis://user:hidden@127.0.0.1:${port}`,
    });
    expect(await server.end).toBe(1);
    expect(server.printed()).toContain("REDIS_URL cannot be used");
    expect(server.printed()).not.toContain("hidden");
  });
});
