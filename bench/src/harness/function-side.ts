import type { Side } from "./rounds.js";
import { percentile } from "./statistics.js";

const TIMED_STRETCH_NS = 200_000n;

/**
 * A side that runs in this process: `run` does its work `count` times. Times are of one piece of work, averaged over
 * stretches of about a fifth of a millisecond, since the clock itself takes as long as the quickest of them.
 */
export function functionSide(name: string, run: (count: number) => void | Promise<void>): Side {
  let count = 1;
  return {
    name,
    measure: async (seconds) => {
      const stretches: number[] = [];
      const start = process.hrtime.bigint();
      const end = start + BigInt(Math.round(seconds * 1e9));
      let done = 0;
      let before = start;
      while (before < end) {
        const counted = count;
        await run(counted);
        const after = process.hrtime.bigint();
        const took = after - before;
        stretches.push(Number(took) / 1_000 / counted);
        done += counted;
        if (took < TIMED_STRETCH_NS / 2n) count = counted * 2;
        before = process.hrtime.bigint();
      }
      const total = Number(before - start) / 1e9;
      return {
        perSecond: done / total,
        p50: percentile(stretches, 0.5),
        p99: percentile(stretches, 0.99),
        server: null,
      };
    },
  };
}
