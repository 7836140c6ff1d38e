import { channel } from "node:diagnostics_channel";
import { type Backlog, CHANNELS, type Observation } from "@budgetkit/core";
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from "prom-client";
import { answeredWithin } from "./shared-readiness.js";

/** Bounds in seconds; those of requests follow OpenTelemetry's advice. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const STORE_BUCKETS = [0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const CALL_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30];
const TOO_MANY_REQUESTS = 429;
const BACKLOG_WITHIN_MS = 2_000;

/**
 * Feeds prom-client's registry from the diagnostics channels of the service; `backlog` is called at each scrape.
 * @returns a function that stops it.
 */
export function collectMetrics(backlog: () => Promise<Backlog>): () => void {
  collectDefaultMetrics();
  const requests = new Histogram({
    name: "http_server_request_duration_seconds",
    help: "From the arrival of a request to its answer, which a download is still to be sent after.",
    labelNames: ["http_request_method", "http_route", "http_response_status_code"],
    buckets: BUCKETS,
  });
  const refusals = new Counter({
    name: "budgetkit_limiter_refusals_total",
    help: "Requests that a limit refused.",
    labelNames: ["http_route"],
  });
  const deliveries = new Histogram({
    name: "budgetkit_webhook_call_duration_seconds",
    help: "Calls of receivers, by what became of the delivery and by what went wrong.",
    labelNames: ["outcome", "error_type"],
    buckets: CALL_BUCKETS,
  });
  const calls = new Histogram({
    name: "db_client_operation_duration_seconds",
    help: "Calls of the store and of the limiter's.",
    labelNames: ["db_system_name", "db_operation_name", "error_type"],
    buckets: STORE_BUCKETS,
  });
  measureBacklog(backlog);
  const ends = [
    onEnd(CHANNELS.request, (seconds, attribute) => {
      const route = attribute("http.route");
      const status = attribute("http.response.status_code");
      const labels = { http_request_method: attribute("http.request.method"), http_route: route };
      requests.observe({ ...labels, http_response_status_code: status }, seconds);
      if (status === TOO_MANY_REQUESTS) refusals.inc({ http_route: route });
    }),
    onEnd(CHANNELS.delivery, (seconds, attribute) => {
      deliveries.observe(
        { outcome: attribute("budgetkit.delivery.outcome"), error_type: attribute("error.type") },
        seconds,
      );
    }),
    onEnd(CHANNELS.store, (seconds, attribute) => {
      const operation = {
        db_system_name: attribute("db.system.name"),
        db_operation_name: attribute("db.operation.name"),
      };
      calls.observe({ ...operation, error_type: attribute("error.type") }, seconds);
    }),
  ];
  return () => {
    for (const end of ends) end();
    register.clear();
  };
}

/** One gauge, so that a scrape counts once. Every worker reads the same backlog: the maximum is the right aggregate. */
function measureBacklog(backlog: () => Promise<Backlog>): void {
  new Gauge({
    name: "budgetkit_outbox_backlog",
    help: "What waits for the dispatcher, up to 100000: events to be fanned out, deliveries that are due.",
    labelNames: ["kind"],
    aggregator: "max",
    async collect() {
      // During an outage of the store the scrape leaves these two out and still has all others.
      this.reset();
      const waiting = await answeredWithin(BACKLOG_WITHIN_MS, backlog()).catch(() => null);
      if (waiting === null) return;
      this.set({ kind: "undispatched_events" }, waiting.events);
      this.set({ kind: "due_deliveries" }, waiting.deliveries);
    },
  });
}

type ReadAttribute = (attribute: string) => string | number;

function onEnd(name: string, observe: (seconds: number, attribute: ReadAttribute) => void): () => void {
  const ended = channel(`tracing:${name}:asyncEnd`);
  const listener = (message: unknown): void => {
    const { attributes, durationMs } = message as Observation;
    observe((durationMs ?? 0) / 1_000, (name) => attributes[name] ?? "");
  };
  ended.subscribe(listener);
  return () => ended.unsubscribe(listener);
}
