import type { RedisLimiter } from "@budgetkit/limiter-redis";
import { withoutPasswords } from "../terminal/complaint.js";
import { StartFailure } from "../terminal/failures.js";

/** A rate limiter in Redis, shared by all servers that use the same one. */
export interface OpenLimiter {
  readonly rateLimits: RedisLimiter;
  close(): void;
}

const CONNECTS_WITHIN_MS = 5_000;

/** Connects to Redis; the driver is loaded only here. Throws a StartFailure when Redis cannot be reached. */
export async function openLimiter(url: string): Promise<OpenLimiter> {
  const [{ Redis }, { redisLimiter }] = await Promise.all([import("ioredis"), import("@budgetkit/limiter-redis")]);
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECTS_WITHIN_MS,
    // The server was demoted to a replica and keeps the connection: reconnect, as the address may now lead to the new primary.
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
