import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Condition, Listening, ServerKind, ServerOptions } from "./harness/server-protocol.js";

/** A server under load, in a process of its own. It ends when whoever started it lets go of it. */

type Listen = (options: ServerOptions) => Promise<Listening>;

/** Each is loaded alone, so that a process holds nothing of the others. */
const servers: Readonly<Record<ServerKind, () => Promise<{ listen: Listen }>>> = {
  hono: () => import("./ours/hono-server.js"),
  express: () => import("./ours/express-server.js"),
  "hono-postgres": () => import("./ours/hono-postgres-server.js"),
  "hand-written": () => import("./baseline/node-server.js"),
  "hand-written-postgres": () => import("./baseline/postgres-server.js"),
  "bare-express": () => import("./baseline/bare-express.js"),
  "better-auth": () => import("./baseline/better-auth-server.js"),
};

const RESOLUTION_MS = 10;

const options: ServerOptions = JSON.parse(process.argv[2] ?? "{}");
const { listen } = await servers[options.kind]();
let used = process.cpuUsage();
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
process.on("disconnect", () => process.exit());
process.on("message", () => {
  process.send?.(conditionOf());
  used = process.cpuUsage();
  delay.reset();
});
process.send?.(await listen(options));
delay.enable();

function conditionOf(): Condition {
  const { user, system } = process.cpuUsage(used);
  return {
    cpu: user + system,
    loopDelayP99: lateness(delay.percentile(99)),
    loopDelayMax: lateness(delay.max),
    residentBytes: process.memoryUsage.rss(),
  };
}

/** The monitor measures from one tick of its timer to the next: what is beyond the interval is the delay. */
function lateness(nanoseconds: number): number {
  return Math.max(0, nanoseconds / 1_000 - RESOLUTION_MS * 1_000);
}
