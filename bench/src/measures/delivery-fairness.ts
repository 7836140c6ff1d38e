import { join } from "node:path";
import { type Benchmark, recorded } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { openReceiver, SILENT_PATH } from "../harness/receivers.js";
import { measureInTurn, type Side } from "../harness/rounds.js";
import { percentile } from "../harness/statistics.js";
import { openService } from "../ours/service.js";
import { businessWithEndpoints, commitEvent } from "../ours/webhooks.js";

const GOOD = 99;

export const deliveryFairness: Benchmark = {
  title: `from commit to call, ${GOOD} endpoints that answer, with and without one that never does`,
  run: (settings) =>
    withFolder(async (folder) => {
      const alone = await openSide(join(folder, "alone.db"), `${GOOD} that answer`, false);
      const beside = await openSide(join(folder, "beside.db"), `${GOOD} beside one that does not`, true);
      const [without, withSilent] = await measureInTurn([alone.side, beside.side], settings);
      await Promise.all([alone.close(), beside.close()]);
      const value = withSilent.p99 / without.p99;
      return {
        measured: [without, withSilent],
        figures: [recorded("p99 with a silent endpoint / without", value, "×")],
      };
    }),
};

/** One event after the other; the next is committed when every endpoint that answers has been called. */
async function openSide(path: string, name: string, withSilent: boolean) {
  let onCall = () => {};
  const receiver = await openReceiver(() => onCall());
  const { service, close } = openService(path, "memory");
  const paths = [...new Array<string>(GOOD).fill("/good"), ...(withSilent ? [SILENT_PATH] : [])];
  const actor = await businessWithEndpoints(
    service,
    paths.map((each) => receiver.origin + each),
  );
  await service.start();
  const side: Side = {
    name,
    measure: async (seconds) => {
      const times: number[] = [];
      const end = performance.now() + seconds * 1_000;
      while (performance.now() < end) {
        const arrivals: number[] = [];
        const all = new Promise<void>((resolve) => {
          onCall = () => {
            arrivals.push(performance.now());
            if (arrivals.length === GOOD) resolve();
          };
        });
        await commitEvent(service, actor);
        const committedAt = performance.now();
        await all;
        for (const arrival of arrivals) times.push(Math.max(0, arrival - committedAt) * 1_000);
      }
      return { perSecond: null, p50: percentile(times, 0.5), p99: percentile(times, 0.99), server: null };
    },
  };
  return {
    side,
    close: async () => {
      await receiver.close(); // ends the calls that were never answered
      await close();
    },
  };
}
