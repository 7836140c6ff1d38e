import cluster from "node:cluster";
import { createServer } from "node:http";
import { AggregatorRegistry, register } from "prom-client";
import { complaintOf } from "./complaint.js";
import type { Settings } from "./settings.js";
import { StartFailure } from "./start-failure.js";

export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves `/metrics` on a port of its own, that of the process that owns it: this one's alone, or those of all workers
 * together. Null in a worker. Throws a StartFailure when the port cannot be had.
 */
export async function serveMetrics(
  port: number,
  { METRICS_HOST: host, WEB_CONCURRENCY }: Settings,
): Promise<MetricsServer | null> {
  if (cluster.isWorker) {
    new AggregatorRegistry(); // answers the process that started this worker when it asks
    return null;
  }
  const aggregator = WEB_CONCURRENCY > 1 ? new AggregatorRegistry() : null;
  return listen(port, host, () => (aggregator === null ? register.metrics() : aggregator.clusterMetrics()));
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
        console.error(complaintOf(error));
        response.writeHead(500).end();
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
