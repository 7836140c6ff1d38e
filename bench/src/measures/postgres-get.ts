import { readScript } from "../baseline/pgbench-scripts.js";
import { baselinePostgres } from "../baseline/postgres-database.js";
import { readsOfBaseline } from "../baseline/requests.js";
import { type Benchmark, rateRatio } from "../harness/benchmark.js";
import { pgbenchSides } from "../harness/pgbench.js";
import { newDatabase, withPostgres } from "../harness/postgres.js";
import { measureInTurn } from "../harness/rounds.js";
import { withServers } from "../harness/server-process.js";
import { serverSide } from "../harness/server-side.js";
import { ourPostgres } from "../ours/postgres-database.js";
import { readsOfOurs } from "../ours/requests.js";

export const getOnPostgres: Benchmark = {
  title: "GET by id on Hono with its data in PostgreSQL, beside a server written by hand",
  run: (settings) =>
    withPostgres(async (url) => {
      const ours = await ourPostgres(await newDatabase(url, "ours"), settings.budgets);
      const theirs = await baselinePostgres(await newDatabase(url, "by_hand"), settings.budgets);
      const servers = [
        { kind: "hono-postgres", path: ours.path, limiter: "file" },
        { kind: "hono-postgres", path: ours.path, limiter: "memory" },
        { kind: "hand-written-postgres", path: theirs.path, limiter: "file" },
      ] as const;
      return withServers(servers, settings, async ([shared, alone, hand]) => {
        if (!shared || !alone || !hand) throw new Error("a server is missing");
        const [inPostgres, inMemory, byHand, ...pgbench] = await measureInTurn(
          [
            serverSide("Budgetkit, Hono, limiter in PostgreSQL", shared, readsOfOurs(ours, 1), settings),
            serverSide("Budgetkit, Hono, limiter in memory", alone, readsOfOurs(ours, 1), settings),
            serverSide(
              "hand-written, key cached and two queries",
              hand,
              readsOfBaseline(theirs, "budgets", 1),
              settings,
            ),
            ...pgbenchSides(theirs.path, { "pgbench, the same two queries": readScript(theirs.budgets) }),
          ],
          settings,
        );
        return {
          measured: [inPostgres, inMemory, byHand, ...pgbench],
          figures: [
            rateRatio("getPostgres", inPostgres, byHand),
            rateRatio({ recorded: "the same with the limiter in memory" }, inMemory, byHand),
          ],
        };
      });
    }),
};
