import cluster, { type Worker } from "node:cluster";
import { StartFailure } from "../terminal/failures.js";

/** A message from a worker to the primary process. */
type Message =
  | { readonly kind: "serving"; readonly announcement: string; readonly port: number }
  | { readonly kind: "refused"; readonly why: string };

/** A worker that ends sooner than this would crash in a loop: its replacement waits for the rest of the time. */
const LIVES_AT_LEAST_MS = 5_000;

/** Longer than a server takes to stop: 10 seconds for its requests, then 30 for its webhook calls. */
const GRACE_MS = 45_000;

/** The variable that has the port of the workers that serve already. */
const SHARED_PORT = "BUDGETKIT_SHARED_PORT";

/** The port of the workers that serve already; null = this process is the first one. */
export function sharedPort(): number | null {
  const port = process.env[SHARED_PORT];
  return cluster.isWorker && port !== undefined ? Number(port) : null;
}

export interface Workers {
  /** The announcement of the first worker, once all serve; null = stopped before. Rejects with a StartFailure. */
  readonly started: Promise<string | null>;
  /** Stops all workers and waits for their end. A worker that exceeds the grace period is killed, with a line on stderr. */
  stop(): Promise<void>;
}

/**
 * Runs `count` processes of this program that share its port. The first one starts alone, so that a new database is
 * created once. A worker that ends unexpectedly is replaced. Returns at once; `started` resolves when all serve.
 *
 * Workers accept connections themselves. If the primary process accepted and passed them on, those on the way to a worker
 * that is killed would stay open without an answer.
 */
export function startWorkers(program: string, count: number, graceMs = GRACE_MS): Workers {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: program, args: process.argv.slice(2) });
  let isStopping = false;
  const living = new Map<Worker, Promise<void>>();
  let port: number | null = null; // null = no worker has served yet

  function start(): Promise<{ readonly pid: number | undefined; readonly announcement: string }> {
    const startedAt = performance.now();
    const worker = cluster.fork(port === null ? {} : { [SHARED_PORT]: String(port) });
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    living.set(worker, ended);
    void ended.then(() => {
      living.delete(worker);
      if (isStopping) return;
      const lived = performance.now() - startedAt;
      const pause = lived < LIVES_AT_LEAST_MS ? LIVES_AT_LEAST_MS - lived : 0;
      console.error(`A worker process ended (${worker.process.pid}); a replacement starts.`);
      setTimeout(() => {
        if (!isStopping) replace();
      }, pause);
    });
    return new Promise((resolve, reject) => {
      // Metrics use the same channel.
      worker.on("message", (message: Message | { readonly kind?: never }) => {
        if (message.kind === "serving") {
          port ??= message.port;
          resolve({ pid: worker.process.pid, announcement: message.announcement });
        } else if (message.kind === "refused") reject(new StartFailure(message.why));
      });
      void ended.then(() => reject(new StartFailure("A worker process ended before it served.")));
    });
  }

  function replace(): void {
    start().then(
      ({ pid }) => console.error(`A replacement worker process serves (${pid}).`),
      (error: unknown) => console.error(error instanceof Error ? error.message : error),
    );
  }

  async function stop(): Promise<void> {
    isStopping = true;
    for (const worker of living.keys()) worker.process.kill("SIGTERM");
    const killTimer = setTimeout(() => {
      for (const { process } of living.keys()) {
        console.error(`A worker process has not ended within ${graceMs / 1_000} s; it is killed (${process.pid}).`);
        process.kill("SIGKILL");
      }
    }, graceMs);
    await Promise.all(living.values());
    clearTimeout(killTimer);
  }

  async function startAll(): Promise<string | null> {
    try {
      const { announcement } = await start();
      if (isStopping) return null;
      await Promise.all(Array.from({ length: count - 1 }, start));
      return announcement;
    } catch (error) {
      if (isStopping) return null;
      await stop();
      throw error;
    }
  }

  return { started: startAll(), stop };
}

/** Sends a message to the primary process. */
export function report(message: Message): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));
}
