import { randomUUID } from "node:crypto";
import { rateLimitSuite } from "@budgetkit/testing";
import { Cluster, Redis } from "ioredis";
import { afterAll, beforeAll, describe, it } from "vitest";
import { redisLimiter } from "./index.js";
import { anyRedis, noOwnRedis, noRedis, type RedisServer, startCluster } from "./testing/redis-server.js";

describe.skipIf(noRedis !== null)("the limiter on Redis", () => {
  onServer(anyRedis, ({ address }) => new Redis(address));
});

describe.skipIf(noOwnRedis !== null)("the limiter on a Redis Cluster", () => {
  onServer(startCluster, ({ port }) => new Cluster([{ host: "127.0.0.1", port }]));
});

function onServer<Server extends Pick<RedisServer, "remove">>(
  start: () => Promise<Server>,
  connect: (server: Server) => Redis | Cluster,
): void {
  let server: Server;
  let client: Redis | Cluster;
  beforeAll(async () => {
    server = await start();
    client = connect(server);
  });
  afterAll(async () => {
    client.disconnect();
    await server.remove();
  });

  const makeLimits = async () => {
    const keyPrefix = `${randomUUID()}:`;
    const open = () => redisLimiter(client, { keyPrefix, timeoutMs: 30_000, clock: "caller" });
    return { limits: open(), reopen: async () => open() };
  };
  rateLimitSuite({ describe, it }, makeLimits, { persists: true, prunes: false });
}
