import cluster from "node:cluster";
import { announcement } from "./announcement.js";
import { complaintOf } from "./complaint.js";
import type { MetricsServer } from "./metrics-server.js";
import { type RunningServer, startServer } from "./server.js";
import type { Settings } from "./settings.js";
import { StartFailure } from "./start-failure.js";
import { report, startWorkers } from "./workers.js";

/** Serves until a signal ends the process. `isJson` announces the addresses, and the first owner, as one line of JSON. What keeps it from starting ends it with 1. */
export async function serve(settings: Settings, isJson: boolean): Promise<void> {
  try {
    await run(settings, isJson);
  } catch (error) {
    const why = complaintOf(error);
    if (cluster.isWorker && error instanceof StartFailure) await report({ kind: "refused", why });
    else console.error(why);
    process.exit(1);
  }
}

async function run(settings: Settings, isJson: boolean): Promise<void> {
  const metrics = await serveMetrics(settings);
  const sayMetrics = () => {
    if (metrics !== null) (isJson ? console.error : console.log)(`Metrics are at ${metrics.url}`);
  };
  const stopWith = (stop: () => Promise<void>) =>
    stopOnSignal(async () => {
      await stop();
      await metrics?.stop();
    });
  if (settings.WEB_CONCURRENCY > 1 && cluster.isPrimary) {
    stopWith(() => workers.stop());
    const workers = startWorkers(process.argv[1] ?? "", settings.WEB_CONCURRENCY);
    const announcement = await workers.started;
    if (announcement === null) return;
    console.log(announcement);
    sayMetrics();
    return;
  }
  const server = await startServer(settings);
  stopWith(server.stop);
  if (server.hasNewSecret && server.firstOwner === null) {
    console.warn("A new secret was made for this database: its sessions have ended, what was sealed stays sealed.");
  }
  const said = isJson ? addressesOf(server) : announcement(server);
  if (cluster.isWorker) await report({ kind: "serving", announcement: said });
  else console.log(said);
  sayMetrics();
}

/** Null unless METRICS_PORT is set: what serves them is loaded only for those who read them. */
async function serveMetrics(settings: Settings): Promise<MetricsServer | null> {
  if (settings.METRICS_PORT === null) return null;
  const metrics = await import("./metrics-server.js");
  return metrics.serveMetrics(settings.METRICS_PORT, settings);
}

function addressesOf({ url, publicUrl, firstOwner }: RunningServer): string {
  return JSON.stringify({ url, publicUrl, firstOwner });
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
        console.error(complaintOf(error));
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, end);
}
