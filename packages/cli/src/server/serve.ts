import cluster from "node:cluster";
import type { Settings } from "../settings/settings.js";
import { complaintOf } from "../terminal/complaint.js";
import { StartFailure } from "../terminal/failures.js";
import { announcement } from "./announcement.js";
import type { MetricsServer } from "./metrics-server.js";
import { type RunningServer, startServer } from "./server.js";
import { stopOnSignal } from "./stop-on-signal.js";
import { report, sharedPort, startWorkers } from "./workers.js";

/**
 * Serves until a signal ends the process. With `isJson` the announcement (addresses, first owner) is one line of JSON. A
 * server that cannot start exits with 1.
 */
export async function serve(settings: Settings, isJson: boolean): Promise<void> {
  process.stderr.on("error", () => {}); // serves on when the reader of the log has ended
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
  const server = await startServer(settings, sharedPort());
  stopWith(server.stop);
  if (server.hasNewSecret && server.firstOwner === null) {
    console.warn("A new secret was made for this database: its sessions have ended, what was sealed stays sealed.");
  }
  const { text: words, login } = announcement(server);
  if (login !== null) process.stderr.write(`${login}\n`); // a worker shares the terminal of its primary process
  const text = isJson ? addressesOf(server) : words;
  if (cluster.isWorker) await report({ kind: "serving", announcement: text, port: server.port });
  else console.log(text);
  sayMetrics();
}

/** null = METRICS_PORT is not set. The metrics library is loaded only when it is. */
async function serveMetrics(settings: Settings): Promise<MetricsServer | null> {
  if (settings.METRICS_PORT === null) return null;
  const metrics = await import("./metrics-server.js");
  return metrics.serveMetrics(settings.METRICS_PORT, settings);
}

function addressesOf({ url, publicUrl, firstOwner }: RunningServer): string {
  if (firstOwner === null) return JSON.stringify({ url, publicUrl, firstOwner });
  const { businessId, email, password } = firstOwner;
  const passwordFile = password.kind === "file" ? password.path : null;
  return JSON.stringify({ url, publicUrl, firstOwner: { businessId, email, passwordFile } });
}
