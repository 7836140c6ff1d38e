import type autocannon from "autocannon";
import { type Benchmark, recorded } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { sendAll } from "../harness/load.js";
import { withServers } from "../harness/server-process.js";
import { copyOfOurDatabase } from "../ours/database.js";
import { createsOfOurs, listsOfOurs, readsOfOurs } from "../ours/requests.js";

const REQUESTS = 20_000;

/** Reads, lists, creations and refusals in turn. What a single request holds up is what everybody waits for. */
export const eventLoop: Benchmark = {
  title: `event loop under ${REQUESTS.toLocaleString("en-US")} mixed requests`,
  run: (settings) =>
    withFolder(async (folder) => {
      const ours = await copyOfOurDatabase(settings.budgets, folder);
      const kinds = [
        readsOfOurs(ours, 1),
        listsOfOurs(ours, "limit=100&sort=total"),
        createsOfOurs(ours),
        listsOfOurs(ours, "limit=0"),
      ];
      const requests = Array.from({ length: REQUESTS }, (_, index): autocannon.Request => {
        const { requests } = kinds[index % kinds.length] ?? { requests: [] };
        return { ...requests[index % requests.length] };
      });
      const servers = [{ kind: "hono", path: ours.path, limiter: "file" }] as const;
      return withServers(servers, settings, async ([server]) => {
        if (!server) throw new Error("the server is missing");
        await sendAll({
          url: server.url,
          requests: requests.slice(0, REQUESTS / 10),
          connections: settings.connections,
        });
        await server.condition();
        await sendAll({ url: server.url, requests, connections: settings.connections });
        const { loopDelayP99, loopDelayMax } = await server.condition();
        return {
          measured: [],
          figures: [
            recorded("event loop delay, p99", loopDelayP99 / 1_000, "ms"),
            recorded("event loop delay, longest", loopDelayMax / 1_000, "ms"),
          ],
        };
      });
    }),
};
