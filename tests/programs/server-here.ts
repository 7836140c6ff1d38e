import { scryptHasher, systemRandom } from "@budgetkit/core";
import { onTestFinished } from "vitest";
import { announcement } from "../../packages/cli/src/server/announcement.js";
import { startServer } from "../../packages/cli/src/server/server.js";
import { readSettings } from "../../packages/cli/src/settings/settings.js";
import type { Environment } from "./running-program.js";

/** A standalone server in the process of the tests, which the end of the test stops. */
export interface ServerHere {
  readonly url: string;
  /** What the server prints once it serves. */
  readonly printed: string;
  stop(): Promise<void>;
}

/**
 * Starts a standalone server without a process of its own, which takes a fraction of the time. For tests that need no
 * signal, exit code or crash. It reads these variables only; the port is 0 unless they name one.
 */
export async function serveHere(environment: Environment): Promise<ServerHere> {
  const settings = readSettings({ PORT: "0", BUDGETKIT_LOG_LEVEL: "error", ...environment });
  const server = await startServer(settings, null, scryptHasher(systemRandom, { cost: 16 }));
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= server.stop();
    return stopped;
  };
  onTestFinished(stop);
  const { text, login } = announcement(server);
  return { url: server.url, printed: `${text}\n${login ?? ""}`, stop };
}
