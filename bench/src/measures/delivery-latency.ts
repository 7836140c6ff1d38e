import { join } from "node:path";
import { type Benchmark, recorded } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { openReceiver } from "../harness/receivers.js";
import { measureInTurn, type Side } from "../harness/rounds.js";
import { percentile } from "../harness/statistics.js";
import { openService } from "../ours/service.js";
import { businessWithEndpoints, commitEvent } from "../ours/webhooks.js";

export const deliveryLatency: Benchmark = {
  title: "from an acknowledged commit to the call of a receiver, one at a time",
  run: (settings) =>
    withFolder(async (folder) => {
      let onCall = () => {};
      const receiver = await openReceiver(() => onCall());
      const { service, close } = openService(join(folder, "latency.db"), "memory");
      const actor = await businessWithEndpoints(service, [receiver.origin]);
      await service.start();
      const side: Side = {
        name: "commit to POST",
        measure: async (seconds) => {
          const times: number[] = [];
          const end = performance.now() + seconds * 1_000;
          while (performance.now() < end) {
            const arrival = new Promise<number>((resolve) => {
              onCall = () => resolve(performance.now());
            });
            await commitEvent(service, actor);
            const committedAt = performance.now();
            times.push(Math.max(0, (await arrival) - committedAt) * 1_000);
          }
          return { perSecond: null, p50: percentile(times, 0.5), p99: percentile(times, 0.99), server: null };
        },
      };
      const [measured] = await measureInTurn([side], settings);
      await receiver.close();
      await close();
      return {
        measured: [measured],
        figures: [
          recorded("commit to POST, p50", measured.p50 / 1_000, "ms"),
          recorded("commit to POST, p99", measured.p99 / 1_000, "ms"),
        ],
      };
    }),
};
