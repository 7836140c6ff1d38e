import { baselineDatabase } from "../baseline/database.js";
import { readsOfBaseline } from "../baseline/requests.js";
import { type Benchmark, rateRatio } from "../harness/benchmark.js";
import { measureInTurn } from "../harness/rounds.js";
import { withServers } from "../harness/server-process.js";
import { serverSide } from "../harness/server-side.js";
import { ourDatabase } from "../ours/database.js";
import { readsOfOurs } from "../ours/requests.js";

const MANY_KEYS = 100;

export const getById: Benchmark = {
  title: "GET by id on Hono, beside servers written by hand",
  run: async (settings) => {
    const ours = await ourDatabase(settings.budgets);
    const theirs = baselineDatabase(settings.budgets);
    const servers = [
      { kind: "hono", path: ours.path, limiter: "file" },
      { kind: "hono", path: ours.path, limiter: "memory" },
      { kind: "hand-written", path: theirs.path, limiter: "file" },
      { kind: "hand-written", path: theirs.path, limiter: "file" },
    ] as const;
    return withServers(servers, settings, async ([shared, alone, items, documents]) => {
      if (!shared || !alone || !items || !documents) throw new Error("a server is missing");
      const [oneKey, manyKeys, inMemory, byItems, byDocument] = await measureInTurn(
        [
          serverSide("Budgetkit, Hono", shared, readsOfOurs(ours, 1), settings),
          serverSide(`Budgetkit, Hono, ${MANY_KEYS} keys in turn`, shared, readsOfOurs(ours, MANY_KEYS), settings),
          serverSide("Budgetkit, Hono, limiter in memory", alone, readsOfOurs(ours, 1), settings),
          serverSide("hand-written, items in a table", items, readsOfBaseline(theirs, "budgets", 1), settings),
          serverSide("hand-written, stored document", documents, readsOfBaseline(theirs, "documents", 1), settings),
        ],
        settings,
      );
      return {
        measured: [oneKey, manyKeys, inMemory, byItems, byDocument],
        figures: [
          rateRatio("getItems", oneKey, byItems),
          rateRatio("getDocument", oneKey, byDocument),
          rateRatio({ recorded: "the same with the limiter in memory / items in a table" }, inMemory, byItems),
          rateRatio({ recorded: "the same with the limiter in memory / stored document" }, inMemory, byDocument),
        ],
      };
    });
  },
};
