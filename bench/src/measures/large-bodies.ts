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
        const read = () => answer(200, `${url}${BUDGETS}/${ours.firstId}`, { headers });
        const refuse = () => answer(400, `${url}${BUDGETS}`, { method: "POST", headers, body: BODY });
        await Promise.all([read(), refuse()]);
        await server.condition();
        let longestRead = 0;
        for (let round = 0; round < ROUNDS; round += 1) {
          let isDone = false;
          const refused = Promise.all(Array.from({ length: AT_ONCE }, refuse)).finally(() => {
            isDone = true;
          });
          while (!isDone) longestRead = Math.max(longestRead, await read());
          await refused;
        }
        const { loopDelayMax } = await server.condition();
        return {
          measured: [],
          figures: [
            recorded("read beside large bodies, longest", longestRead, "ms"),
            recorded("event loop delay beside large bodies, longest", loopDelayMax / 1_000, "ms"),
          ],
        };
      });
    }),
};

/** Milliseconds until the answer, which must have the status. */
async function answer(expected: number, url: string, init: RequestInit): Promise<number> {
  const began = performance.now();
  const response = await fetch(url, init);
  await response.arrayBuffer();
  if (response.status !== expected) throw new Error(`${response.status} where ${expected} was expected`);
  return performance.now() - began;
}
