import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry, register } from "prom-client";
import { complaintOf } from "../terminal/complaint.js";

const ANSWERS_WITHIN_MS = 5_000;

/** A message from a worker to the primary process. */
type Message =
  | { readonly kind: "serving" }
  | { readonly kind: "metrics"; readonly reading: number; readonly metrics: object }
  | { readonly kind?: never };

interface Question {
  readonly kind: "read metrics";
  readonly reading: number;
}

/** A worker that serves did not send its metrics in time; the message names it. */
export class MetricsMissing extends Error {}

/** Answers the primary process when it reads the metrics of this worker. */
export function answerMetrics(): void {
  process.on("message", (question: Question | { readonly kind?: never }) => {
    if (question.kind !== "read metrics") return;
    register.getMetricsAsJSON().then(
      (metrics) => process.send?.({ kind: "metrics", reading: question.reading, metrics }),
      (error: unknown) => console.error(complaintOf(error)),
    );
  });
}

/**
 * Returns a function that reads the metrics of all serving workers, added up. A worker that ends during the reading is
 * left out. A worker that is alive is never left out, because its counters would seem to fall: the reading rejects with
 * MetricsMissing when one does not answer in time.
 */
export function gatherMetrics(answersWithinMs = ANSWERS_WITHIN_MS): () => Promise<string> {
  const serving = new Set<Worker>();
  const readings = new Map<number, (worker: Worker, metrics: object | null) => void>();
  let lastReading = 0;
  cluster.on("message", (worker, message: Message) => {
    if (message.kind === "serving") serving.add(worker);
    else if (message.kind === "metrics") readings.get(message.reading)?.(worker, message.metrics);
  });
  for (const end of ["disconnect", "exit"] as const) {
    cluster.on(end, (worker: Worker) => {
      serving.delete(worker);
      for (const take of readings.values()) take(worker, null);
    });
  }

  function ask(reading: number): Promise<object[]> {
    const awaited = new Set(serving);
    const received: object[] = [];
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => {
        const pids = [...awaited].map(({ process }) => process.pid).join(", ");
        reject(new MetricsMissing(`No metrics within ${answersWithinMs / 1_000} s from worker process ${pids}.`));
      }, answersWithinMs);
      const endWhenComplete = () => {
        if (awaited.size > 0) return;
        clearTimeout(timeout);
        resolve(received);
      };
      readings.set(reading, (worker, metrics) => {
        if (awaited.delete(worker) && metrics !== null) received.push(metrics);
        endWhenComplete();
      });
      const question: Question = { kind: "read metrics", reading };
      for (const worker of awaited) worker.send(question, () => {}); // the end of a worker is handled above
      endWhenComplete();
    });
  }

  return async () => {
    lastReading += 1;
    const reading = lastReading;
    try {
      return await AggregatorRegistry.aggregate(await ask(reading)).metrics();
    } finally {
      readings.delete(reading);
    }
  };
}
