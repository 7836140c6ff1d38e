import cluster from "node:cluster";
import { fileURLToPath } from "node:url";
import { announcement } from "./announcement.js";
import { serveMetrics } from "./metrics-server.js";
import { startServer } from "./server.js";
import { readSettings } from "./settings.js";
import { StartFailure } from "./start-failure.js";
import { report, startWorkers } from "./workers.js";

try {
  await run();
} catch (error) {
  if (cluster.isWorker && error instanceof StartFailure) await report({ kind: "refused", why: error.message });
  else console.error(error instanceof StartFailure ? error.message : error);
  process.exit(1);
}

async function run(): Promise<void> {
  const [command, ...args] = process.argv.slice(2);
  if (command === "copy") {
    const { runCopy } = await import("./copy-command.js");
    process.exitCode = await runCopy(args);
    return;
  }
  if (command !== undefined) {
    console.error(`There is no command ${command}: without one the server is started, and copy copies a database.`);
    process.exitCode = 2;
    return;
  }
  const settings = readSettings(process.env);
  const metrics = await serveMetrics(settings);
  const stopWith = (stop: () => Promise<void>) =>
    stopOnSignal(async () => {
      await stop();
      await metrics?.stop();
    });
  if (settings.WEB_CONCURRENCY > 1 && cluster.isPrimary) {
    const workers = await startWorkers(fileURLToPath(import.meta.url), settings.WEB_CONCURRENCY);
    stopWith(workers.stop);
    console.log(workers.announcement);
    if (metrics !== null) console.log(`Metrics are at ${metrics.url}`);
    return;
  }
  const server = await startServer(settings);
  stopWith(server.stop);
  if (server.hasNewSecret && server.firstOwner === null) {
    console.warn("A new secret was made for this database: its sessions have ended, what was sealed stays sealed.");
  }
  if (cluster.isWorker) await report({ kind: "serving", announcement: announcement(server) });
  else console.log(announcement(server));
  if (metrics !== null) console.log(`Metrics are at ${metrics.url}`);
}

/** A terminal and npm may both pass the same signal on, so that it comes twice. */
function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false;
  const end = () => {
    if (isStopping) return;
    isStopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, end);
}
