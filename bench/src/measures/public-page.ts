import { type Benchmark, timeRatio } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { measureInTurn } from "../harness/rounds.js";
import { withServers } from "../harness/server-process.js";
import { serverSide, type Traffic } from "../harness/server-side.js";
import { copyOfOurDatabase, type OurDatabase } from "../ours/database.js";
import { readsOfOurs } from "../ours/requests.js";
import { openService } from "../ours/service.js";

export const publicPage: Benchmark = {
  title: "the page of a public link beside GET by id, one request at a time",
  run: (settings) =>
    withFolder(async (folder) => {
      const ours = await copyOfOurDatabase(settings.budgets, folder);
      const pages = await pagesOf(ours);
      const oneAtATime = { ...settings, connections: 1 };
      return withServers([{ kind: "hono", path: ours.path, limiter: "file" }], settings, async ([server]) => {
        if (!server) throw new Error("the server is missing");
        const [page, byId] = await measureInTurn(
          [
            serverSide("page as HTML", server, pages, oneAtATime),
            serverSide("GET by id", server, readsOfOurs(ours, 1), oneAtATime),
          ],
          settings,
        );
        return { measured: [page, byId], figures: [timeRatio("publicPage", page, byId)] };
      });
    }),
};

/** The first budget is PENDING, so its page has the form of the answer. */
async function pagesOf({ path, businessId, firstId }: OurDatabase): Promise<Traffic> {
  const { service, close } = openService(path, "memory");
  const system = { kind: "system", businessId } as const;
  const { publicToken } = (await service.budgets.createPublicLink(system, String(firstId)))._unsafeUnwrap();
  await close();
  const request = { method: "GET", path: `/v1/p/${publicToken}`, headers: { accept: "text/html" } } as const;
  return { requests: [request], expectedStatus: 200 };
}
