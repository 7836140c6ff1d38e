import { join } from "node:path";
import { openSignedPost } from "../baseline/signed-post.js";
import { type Batch, measureBatches } from "../harness/batches.js";
import { type Benchmark, recorded } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { withReceiverProcess } from "../harness/receivers.js";
import type { Settings } from "../harness/settings.js";
import { CALLS, capsOf, openTicks } from "../ours/delivery-ticks.js";
import { openService } from "../ours/service.js";

export const deliveries: Benchmark = {
  title: "deliveries from a SQLite store to a local receiver, beside a bare loop that signs and POSTs with undici",
  run: (settings) =>
    withFolder((folder) =>
      withReceiverProcess(async (origin) => {
        const few = await measurePair(folder, origin, 10, settings);
        const many = await measurePair(folder, origin, 50, settings);
        return {
          measured: [...few.measured, ...many.measured],
          figures: [
            recorded("deliveries, SQLite, 10 at a time / bare loop", few.firstBeside(1), "×"),
            { target: "deliveries", value: many.firstBeside(1) },
          ],
          notes: ["A ratio is the median of those of neighbours: one tick, and as many calls by the bare loop."],
        };
      }),
    ),
};

async function measurePair(folder: string, origin: string, concurrency: number, settings: Settings) {
  const ours = openService(join(folder, `${concurrency}.db`), "memory", capsOf(concurrency));
  const ticks = await openTicks(`Budgetkit, ${concurrency} at a time`, ours, origin);
  return measureBatches([ticks, openBareLoop(origin, concurrency)], CALLS, settings);
}

function openBareLoop(origin: string, concurrency: number): Batch {
  const post = openSignedPost(origin, concurrency);
  return {
    name: `bare loop, ${concurrency} at a time`,
    prepare: async () => {},
    run: async () => {
      let left = CALLS;
      const worker = async () => {
        while (left > 0) {
          left -= 1;
          await post.send();
        }
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
    },
    close: post.close,
  };
}
