import { type Finding, ok, reasonOf, wrong } from "./checks.js";

const CONNECTS_WITHIN_MS = 3_000;

/** Checks that the Redis of the rate limits answers. */
export async function checkRedis(url: string): Promise<Finding> {
  const { Redis } = await import("ioredis");
  const client = new Redis(url, { lazyConnect: true, connectTimeout: CONNECTS_WITHIN_MS, retryStrategy: () => null });
  let reason = "";
  client.on("error", (error: Error) => {
    reason = reasonOf(error);
  });
  try {
    await client.connect();
    await client.ping();
    return ok("Redis", "answers");
  } catch (error) {
    return wrong(
      "Redis",
      `cannot be reached: ${reason === "" ? reasonOf(error) : reason}. Look at REDIS_URL and at the server`,
    );
  } finally {
    client.disconnect();
  }
}
