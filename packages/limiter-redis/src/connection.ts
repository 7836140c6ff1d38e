import type { Cluster, Redis } from "ioredis";

/**
 * Gives a function that waits until the client is connected, for `timeoutMs` at most. Once that has passed, whoever
 * asks is refused at once until it is connected again. So nothing is left in the client's queue, to be charged when
 * Redis comes back.
 */
export function createReadiness(client: Redis | Cluster, timeoutMs: number): () => Promise<void> {
  let connecting: Promise<void> | null = null;

  function connect(): Promise<void> {
    if (client.status === "wait") client.connect().catch(() => {}); // told below, by the time that has passed
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
