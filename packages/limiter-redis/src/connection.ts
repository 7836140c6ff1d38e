import type { Cluster, Redis } from "ioredis";

/**
 * Returns a function that waits for the connection, for at most `timeoutMs`. After a timeout it rejects at once until the
 * client is connected again. So no call stays in the client's queue, to be charged when Redis is back.
 */
export function createReadiness(client: Redis | Cluster, timeoutMs: number): () => Promise<void> {
  let connecting: Promise<void> | null = null;

  function connect(): Promise<void> {
    if (client.status === "wait") client.connect().catch(() => {}); // the timeout below reports it
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("Redis is not connected")), timeoutMs);
      const settle = () => {
        clearTimeout(timer);
        client.off("ready", settle);
        client.off("end", settle);
        connecting = null;
        resolve();
      };
      client.once("ready", settle);
      client.once("end", settle);
    });
  }

  return async () => {
    if (client.status === "ready") return;
    if (client.status !== "end") {
      connecting ??= connect();
      await connecting;
    }
    if (client.status === "end") throw new Error("the Redis client was closed");
  };
}
