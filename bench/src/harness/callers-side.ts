import { CONCURRENT } from "./concurrently.js";
import type { Side } from "./rounds.js";
import { percentile } from "./statistics.js";

/** A side in this process: callers that each ask anew as soon as they have their answer. Times are of one call. */
export function callersSide(name: string, call: (count: number) => Promise<unknown>): Side {
  let asked = 0;
  return {
    name,
    measure: async (seconds) => {
      const times: number[] = [];
      const start = performance.now();
      const end = start + seconds * 1_000;
      const caller = async () => {
        for (let before = performance.now(); before < end; ) {
          asked += 1;
          await call(asked);
          const after = performance.now();
          times.push((after - before) * 1_000);
          before = after;
        }
      };
      await Promise.all(Array.from({ length: CONCURRENT }, caller));
      const perSecond = (times.length * 1_000) / (performance.now() - start);
      return { perSecond, p50: percentile(times, 0.5), p99: percentile(times, 0.99), server: null };
    },
  };
}
