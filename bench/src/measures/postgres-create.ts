import { baselinePostgres } from "../baseline/postgres-database.js";
import { createsOfBaseline } from "../baseline/requests.js";
import { type Benchmark, rateRatio } from "../harness/benchmark.js";
import { newDatabase, withPostgres } from "../harness/postgres.js";
import { measureInTurn } from "../harness/rounds.js";
import { withServers } from "../harness/server-process.js";
import { serverSide } from "../harness/server-side.js";
import { ourPostgres } from "../ours/postgres-database.js";
import { createsOfOurs } from "../ours/requests.js";

export const createOnPostgres: Benchmark = {
  title: "POST of a budget with three items and its outbox row in PostgreSQL, each commit on disk",
  run: (settings) =>
    withPostgres(async (url) => {
      // Each server has a database of its own: of two on one, each would do the dispatcher's work of the other too.
      const ours = await ourPostgres(await newDatabase(url, "ours"), settings.budgets);
      const beside = await ourPostgres(await newDatabase(url, "beside"), settings.budgets);
      const theirs = await baselinePostgres(await newDatabase(url, "by_hand"), settings.budgets);
      const servers = [
        { kind: "hono-postgres", path: ours.path, limiter: "file" },
        { kind: "hono-postgres", path: beside.path, limiter: "memory" },
        { kind: "hand-written-postgres", path: theirs.path, limiter: "file" },
      ] as const;
      return withServers(servers, settings, async ([shared, alone, hand]) => {
        if (!shared || !alone || !hand) throw new Error("a server is missing");
        const measured = await measureInTurn(
          [
            serverSide("Budgetkit, Hono, limiter in PostgreSQL", shared, createsOfOurs(ours), settings),
            serverSide("Budgetkit, Hono, limiter in memory", alone, createsOfOurs(beside), settings),
            serverSide("hand-written, a transaction each", hand, createsOfBaseline(theirs), settings),
            serverSide("hand-written, a statement each", hand, createsOfBaseline(theirs, "/budgets/at-once"), settings),
          ],
          settings,
        );
        const [inPostgres, inMemory, transactions, statements] = measured;
        return {
          measured,
          figures: [
            rateRatio("createPostgres", inPostgres, transactions),
            rateRatio("createStatement", inPostgres, statements),
            rateRatio({ recorded: "the same with the limiter in memory / a transaction each" }, inMemory, transactions),
            rateRatio({ recorded: "the same with the limiter in memory / a statement each" }, inMemory, statements),
          ],
        };
      });
    }),
};
