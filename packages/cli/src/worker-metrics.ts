import cluster, { type Worker } from "node:cluster";
import { AggregatorRegistry, register } from "prom-client";
import { complaintOf } from "./complaint.js";

const ANSWERS_WITHIN_MS = 5_000;

/** What a worker says of itself, asked or not. */
type Message =
  | { readonly kind: "serving" }
  | { readonly kind: "metrics"; readonly reading: number; readonly metrics: object }
  | { readonly kind?: never };

interface Question {
  readonly kind: "tell metrics";
  readonly reading: number;
}

/** A worker serves and does not say how; the message names it. */
export class MetricsMissing extends Error {}

/** Has this worker tell its metrics when the process that started it asks for them. */
export function tellMetrics(): void {
  process.on("message", (question: Question | { readonly kind?: never }) => {
    if (question.kind !== "tell metrics") return;
    register.getMetricsAsJSON().then(
      (metrics) => process.send?.({ kind: "metrics", reading: question.reading, metrics }),
      (error: unknown) => console.error(complaintOf(error)),
    );
  });
}

/**
 * Gives what reads the metrics of all workers together. Those that do not serve yet have none, and those that end
 * meanwhile take theirs with them. To leave one out that lives would show its counts fall and rise again: a reading
 * rejects when one does not answer in time, and says which.
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
    const told: object[] = [];
    return new Promise((resolve, reject) => {
      const outOfPatience = setTimeout(() => {
        const pids = [...awaited].map(({ process }) => process.pid).join(", ");
        reject(new MetricsMissing(`No metrics within ${answersWithinMs / 1_000} s from worker process ${pids}.`));
      }, answersWithinMs);
      const endWhenComplete = () => {
        if (awaited.size > 0) return;
        clearTimeout(outOfPatience);
        resolve(told);
      };
      readings.set(reading, (worker, metrics) => {
        if (awaited.delete(worker) && metrics !== null) told.push(metrics);
        endWhenComplete();
      });
      const question: Question = { kind: "tell metrics", reading };
      for (const worker of awaited) worker.send(question, () => {}); // one that is gone says so by its end
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
