import cluster, { type Worker } from "node:cluster";
import { StartFailure } from "./start-failure.js";

/** What a process says to the one that started it. */
type Message =
  | { readonly kind: "serving"; readonly announcement: string }
  | { readonly kind: "refused"; readonly why: string };

/** A worker that ends sooner than this after its start would end again. */
const LIVES_AT_LEAST_MS = 5_000;

/** Longer than a server takes to stop: 10 seconds for its requests, then 30 for the calls of receivers. */
const GRACE_MS = 45_000;

export interface Workers {
  /** What the first one announced, once all serve; null when they were asked to end before. Rejects with a StartFailure. */
  readonly started: Promise<string | null>;
  /** Asks all to end, and waits until they have. Those that have not after a while are killed, and it says so. */
  stop(): Promise<void>;
}

/**
 * Runs `count` processes of this program that share its port. The first one starts alone, so that a new database is
 * made once; one that ends unasked is replaced. The first one serves while the others start, so that `stop` is there at once.
 */
export function startWorkers(program: string, count: number, graceMs = GRACE_MS): Workers {
  cluster.setupPrimary({ exec: program, args: process.argv.slice(2) });
  let isStopping = false;
  const living = new Map<Worker, Promise<void>>();

  function start(): Promise<{ readonly pid: number | undefined; readonly announcement: string }> {
    const startedAt = performance.now();
    const worker = cluster.fork();
    const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    living.set(worker, ended);
    void ended.then(() => {
      living.delete(worker);
      if (isStopping) return;
      const lived = performance.now() - startedAt;
      const pause = lived < LIVES_AT_LEAST_MS ? LIVES_AT_LEAST_MS - lived : 0;
      console.error(`A worker process ended (${worker.process.pid}); another one is started.`);
      setTimeout(() => {
        if (!isStopping) replace();
      }, pause);
    });
    return new Promise((resolve, reject) => {
      // Metrics pass here as well.
      worker.on("message", (message: Message | { readonly kind?: never }) => {
        if (message.kind === "serving") resolve({ pid: worker.process.pid, announcement: message.announcement });
        else if (message.kind === "refused") reject(new StartFailure(message.why));
      });
      void ended.then(() => reject(new StartFailure("A worker process ended before it served.")));
    });
  }

  function replace(): void {
    start().then(
      ({ pid }) => console.error(`Another worker process serves (${pid}).`),
      (error: unknown) => console.error(error instanceof Error ? error.message : error),
    );
  }

  async function stop(): Promise<void> {
    isStopping = true;
    for (const worker of living.keys()) worker.process.kill("SIGTERM");
    const outOfPatience = setTimeout(() => {
      for (const { process } of living.keys()) {
        console.error(`A worker process has not ended within ${graceMs / 1_000} s; it is killed (${process.pid}).`);
        process.kill("SIGKILL");
      }
    }, graceMs);
    await Promise.all(living.values());
    clearTimeout(outOfPatience);
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

/** Tells the process that started this worker. */
export function report(message: Message): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));
}
