import cluster from "node:cluster";
import { createServer } from "node:http";
import { register } from "prom-client";
import type { Settings } from "../settings/settings.js";
import { complaintOf } from "../terminal/complaint.js";
import { StartFailure } from "../terminal/failures.js";
import { answerMetrics, gatherMetrics, MetricsMissing } from "./worker-metrics.js";

export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves `/metrics` on a port of its own: the metrics of this process, or of all workers together. Only the primary
 * process listens; null = this is a worker. Throws a StartFailure when the port is in use.
 */
export async function serveMetrics(
  port: number,
  { METRICS_HOST: host, WEB_CONCURRENCY }: Settings,
): Promise<MetricsServer | null> {
  if (cluster.isWorker) {
    answerMetrics();
    return null;
  }
  return listen(port, host, WEB_CONCURRENCY > 1 ? gatherMetrics() : () => register.metrics());
}

function listen(port: number, host: string, read: () => Promise<string>): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.method !== "GET" || request.url?.split("?", 1)[0] !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    read().then(
      (text) => response.writeHead(200, { "content-type": register.contentType }).end(text),
      (error: unknown) => {
        const isMissing = error instanceof MetricsMissing;
        console.error(isMissing ? error.message : complaintOf(error));
        response.writeHead(isMissing ? 503 : 500).end();
      },
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(new StartFailure(`METRICS_PORT ${port} cannot be used: ${error.message}`)));
    server.listen(port, host, () => {
      const address = server.address();
      const given = typeof address === "object" && address !== null ? address.port : port;
      resolve({
        url: `http://${host.includes(":") ? `[${host}]` : host}:${given}/metrics`,
        stop: () =>
          new Promise((stopped) => {
            server.close(() => stopped());
            server.closeAllConnections();
          }),
      });
    });
  });
}
