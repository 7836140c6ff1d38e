import type { Measured } from "./benchmark.js";
import type { Settings } from "./settings.js";
import { median, percentile } from "./statistics.js";

/** So and so many calls, the same of each side. */
export interface Batch {
  readonly name: string;
  prepare(): Promise<void>; // off the clock
  run(): Promise<void>;
  close(): Promise<void>;
}

export interface MeasuredBatches {
  readonly measured: readonly Measured[]; // a call each, in the order of the batches
  /** How many times the rate of another batch the first one's is: the median of the ratios of neighbours. */
  firstBeside(index: number): number;
}

/** Takes a batch of each in turn, so that whatever else the machine does meets all of them. */
export async function measureBatches(
  batches: readonly Batch[],
  calls: number,
  { warmupSeconds, rounds, seconds }: Settings,
): Promise<MeasuredBatches> {
  const times: number[][] = batches.map(() => []); // milliseconds
  const takeTurns = async (seconds: number): Promise<void> => {
    for (let spentMs = 0; spentMs < seconds * 1_000; ) {
      for (const [index, batch] of batches.entries()) {
        await batch.prepare();
        const start = performance.now();
        await batch.run();
        const tookMs = performance.now() - start;
        times[index]?.push(tookMs);
        spentMs += tookMs;
      }
    }
  };
  await takeTurns(batches.length * warmupSeconds);
  for (const each of times) each.length = 0;
  await takeTurns(batches.length * rounds * seconds);
  await Promise.all(batches.map(({ close }) => close()));
  const [first = []] = times;
  return {
    measured: batches.map(({ name }, index) => perCall(name, times[index] ?? [], calls)),
    firstBeside: (index) => median(first.map((tookMs, turn) => (times[index]?.[turn] ?? Number.NaN) / tookMs)),
  };
}

function perCall(side: string, times: readonly number[], calls: number): Measured {
  const each = times.map((tookMs) => (tookMs * 1_000) / calls);
  const p50 = percentile(each, 0.5);
  return { side, perSecond: 1_000_000 / p50, p50, p99: percentile(each, 0.99), server: null, samples: [] };
}
