import { availableParallelism } from "node:os";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { type Outcome, type SimulationOptions, simulate } from "./simulate.js";

/** The result of one seed in a run of many. */
export type Result = Pick<Outcome, "seed" | "steps" | "seen" | "fingerprint"> & { readonly isBroken: boolean };

/** The kind of world of a run of many seeds. */
type Kind = Pick<SimulationOptions, "world" | "store">;

export interface Range extends Kind {
  readonly first: number;
  readonly count: number;
}

const SEEDS_OF_A_WORKER = { service: 60, deliveries: 300 }; // fewer take less time than its start
const YOUNG_HEAP_MB = 64; // a seed allocates much at once

export function usefulWorkers({ world, count }: Range): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(count / SEEDS_OF_A_WORKER[world])));
}

/** Runs the seeds in threads, in order. After the first broken seed no other begins. */
export async function runInWorkers(program: URL, range: Range, workers: number): Promise<readonly Result[]> {
  const results: Result[] = [];
  const end = range.first + range.count;
  const kind: Kind = { world: range.world, store: range.store };
  let next = range.first;
  const runOne = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_HEAP_MB };
      const worker = new Worker(program, { workerData: kind, resourceLimits });
      const give = () => {
        if (next < end && !results.some(({ isBroken }) => isBroken)) worker.postMessage(next++);
        else void worker.terminate().then(() => resolve());
      };
      worker.on("message", (result: Result) => {
        results.push(result);
        give();
      });
      worker.on("error", reject);
      give();
    });
  await Promise.all(Array.from({ length: workers }, runOne));
  return results.sort((a, b) => a.seed - b.seed);
}

/** A thread of {@link runInWorkers}: runs the seeds that it receives. */
export function serveSeeds(): void {
  const kind: Kind = workerData;
  parentPort?.on("message", (seed: number) => {
    void runSeed({ ...kind, seed }).then((result) => parentPort?.postMessage(result));
  });
}

export async function runSeed({ seed, world, store }: SimulationOptions): Promise<Result> {
  const { steps, seen, fingerprint, violation } = await simulate({ seed, world, store });
  return { seed, steps, seen, fingerprint, isBroken: violation !== null };
}
