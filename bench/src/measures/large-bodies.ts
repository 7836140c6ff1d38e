import autocannon from "autocannon";
import { type Benchmark, recorded } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { withServers } from "../harness/server-process.js";
import { copyOfOurDatabase } from "../ours/database.js";

const AT_ONCE = 20;
const ROUNDS = 10;
const BUDGETS = "/v1/api/public/budgets";
/** A megabyte that nests too deep at its end, so that all of it is read before it is refused. */
const BODY = `["${"a".repeat(1024 * 1024 - 100)}",${"[".repeat(40)}`;

/** Large refused bodies that arrive at once, and meanwhile reads of one budget, one after the other. */
export const largeBodies: Benchmark = {
  title: `${AT_ONCE} refused bodies of a megabyte at once`,
  run: (settings) =>
    withFolder(async (folder) => {
      const ours = await copyOfOurDatabase(settings.budgets, folder);
      const headers = { authorization: `Bearer ${ours.keys[0] ?? ""}`, "content-type": "application/json" };
      const servers = [{ kind: "hono", path: ours.path, limiter: "file" }] as const;
      return withServers(servers, settings, async ([server]) => {
        if (!server) throw new Error("the server is missing");
        const { url } = server;
        const read = () => timeOf(`${url}${BUDGETS}/${ours.firstId}`, { headers });
        await Promise.all([read(), refuse(`${url}${BUDGETS}`, headers)]);
        await server.condition();
        const reads: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          let isDone = false;
          const refused = refuse(`${url}${BUDGETS}`, headers).finally(() => {
            isDone = true;
          });
          while (!isDone) reads.push(await read());
          await refused;
        }
        const { loopDelayMax } = await server.condition();
        return {
          measured: [],
          figures: [
            recorded("read beside large bodies, longest", Math.max(...reads), "ms"),
            recorded("event loop delay beside large bodies, longest", loopDelayMax / 1_000, "ms"),
          ],
        };
      });
    }),
};

/** Sends the bodies from a thread of its own, which does not delay the reads. */
async function refuse(url: string, headers: Record<string, string>): Promise<void> {
  const load = { connections: AT_ONCE, amount: AT_ONCE, workers: 1, timeout: 60 };
  const result = await autocannon({ url, method: "POST", headers, body: BODY, ...load });
  if (result["4xx"] !== AT_ONCE) throw new Error(`${result["4xx"]} of ${AT_ONCE} bodies were refused`);
}

/** Milliseconds until the answer. */
async function timeOf(url: string, init: RequestInit): Promise<number> {
  const began = performance.now();
  const response = await fetch(url, init);
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return performance.now() - began;
}
