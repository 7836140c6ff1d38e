import { baselineDatabase } from "../baseline/database.js";
import { readsOfBaseline } from "../baseline/requests.js";
import { type Benchmark, rateRatio } from "../harness/benchmark.js";
import { measureInTurn } from "../harness/rounds.js";
import { withServers } from "../harness/server-process.js";
import { serverSide } from "../harness/server-side.js";
import { ourDatabase } from "../ours/database.js";
import { readsOfOurs } from "../ours/requests.js";

export const getOnExpress: Benchmark = {
  title: "GET by id on Express 5, beside Express 5 that does nothing",
  run: async (settings) => {
    const ours = await ourDatabase(settings.budgets);
    const theirs = baselineDatabase(settings.budgets);
    const servers = [
      { kind: "express", path: ours.path, limiter: "file" },
      { kind: "bare-express", path: theirs.path, limiter: "file" },
    ] as const;
    return withServers(servers, settings, async ([stack, bare]) => {
      if (!stack || !bare) throw new Error("a server is missing");
      const [whole, nothing] = await measureInTurn(
        [
          serverSide("Budgetkit, Express", stack, readsOfOurs(ours, 1), settings),
          serverSide("Express that returns an object", bare, readsOfBaseline(theirs, "budgets", 1), settings),
        ],
        settings,
      );
      return {
        measured: [whole, nothing],
        figures: [rateRatio("getExpress", whole, nothing)],
      };
    });
  },
};
