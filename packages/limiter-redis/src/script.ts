import { createHash } from "node:crypto";
import type { Cluster, Redis } from "ioredis";

/** Runs the script with one key and these arguments; returns its reply. */
export type Script = (key: string, args: readonly (string | number)[]) => Promise<unknown>;

/** A script, sent by its digest, and in full to a server that has not cached it. */
export function createScript(client: Redis | Cluster, source: string): Script {
  const digest = createHash("sha1").update(source).digest("hex");
  return async (key, args) => {
    try {
      return await client.evalsha(digest, 1, key, ...args);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return client.eval(source, 1, key, ...args);
    }
  };
}
