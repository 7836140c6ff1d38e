import { copyOfBaseline } from "../baseline/database.js";
import { createsOfBaseline } from "../baseline/requests.js";
import { type Benchmark, rateRatio } from "../harness/benchmark.js";
import { withFolder } from "../harness/folders.js";
import { measureInTurn } from "../harness/rounds.js";
import { withServers } from "../harness/server-process.js";
import { serverSide } from "../harness/server-side.js";
import { copyOfOurDatabase } from "../ours/database.js";
import { createsOfOurs } from "../ours/requests.js";

const FULL = 2;

export const createBudget: Benchmark = {
  title: "POST of a budget with three items and its outbox row, synchronous=FULL",
  run: (settings) =>
    withFolder(async (folder) => {
      const ours = await copyOfOurDatabase(settings.budgets, folder);
      const theirs = copyOfBaseline(settings.budgets, folder);
      const servers = [
        { kind: "hono", path: ours.path, limiter: "file" },
        { kind: "hand-written", path: theirs.path, limiter: "file" },
      ] as const;
      return withServers(servers, settings, async ([hono, byHand]) => {
        if (hono?.synchronous !== FULL || byHand?.synchronous !== FULL)
          throw new Error("a side does not wait for the disk");
        const [grouped, single] = await measureInTurn(
          [
            serverSide("Budgetkit, Hono", hono, createsOfOurs(ours), settings),
            serverSide("hand-written, a transaction each", byHand, createsOfBaseline(theirs), settings),
          ],
          settings,
        );
        return {
          measured: [grouped, single],
          figures: [rateRatio("create", grouped, single)],
        };
      });
    }),
};
