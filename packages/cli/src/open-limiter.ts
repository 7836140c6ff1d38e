import type { RedisLimiter } from "@budgetkit/limiter-redis";
import { withoutPasswords } from "./complaint.js";
import { StartFailure } from "./start-failure.js";

/** The windows of the rate limits in Redis, for all servers that name the same one. */
export interface OpenLimiter {
  readonly rateLimits: RedisLimiter;
  close(): void;
}

const CONNECTS_WITHIN_MS = 5_000;

/** Connects to Redis; what it needs is loaded only then. Throws a StartFailure when it cannot be reached. */
export async function openLimiter(url: string): Promise<OpenLimiter> {
  const [{ Redis }, { redisLimiter }] = await Promise.all([import("ioredis"), import("@budgetkit/limiter-redis")]);
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECTS_WITHIN_MS,
    // The server was demoted to a replica, and keeps the connection: the address may lead to another one by now.
    reconnectOnError: (error) => error.message.includes("READONLY"),
  });
  let lastComplaint = "";
  client.on("error", (error: Error) => {
    if (error.message !== lastComplaint) console.error(`Redis: ${withoutPasswords(error.message)}`);
    lastComplaint = error.message;
  });
  client.on("ready", () => {
    lastComplaint = "";
  });
  try {
    await client.connect();
  } catch (error) {
    client.disconnect();
    throw new StartFailure(`REDIS_URL cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { rateLimits: redisLimiter(client), close: () => client.disconnect() };
}
