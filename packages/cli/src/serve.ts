import cluster from "node:cluster";
import { fileURLToPath } from "node:url";
import { announcement } from "./announcement.js";
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
  const settings = readSettings(process.env);
  if (settings.WEB_CONCURRENCY > 1 && cluster.isPrimary) {
    const workers = await startWorkers(fileURLToPath(import.meta.url), settings.WEB_CONCURRENCY);
    stopOnSignal(workers.stop);
    console.log(workers.announcement);
    return;
  }
  const server = await startServer(settings);
  stopOnSignal(server.stop);
  if (server.hasNewSecret && server.firstOwner === null) {
    console.warn("A new secret was made for this database: its sessions have ended, what was sealed stays sealed.");
  }
  if (cluster.isWorker) await report({ kind: "serving", announcement: announcement(server) });
  else console.log(announcement(server));
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
  process.on("disconnect", end); // the process that started this worker is gone
}
