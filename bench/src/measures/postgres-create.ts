import { createScripts } from "../baseline/pgbench-scripts.js";
import { baselinePostgres } from "../baseline/postgres-database.js";
import { createAtOnce, createInTransaction } from "../baseline/postgres-writes.js";
import { createsOfBaseline } from "../baseline/requests.js";
import { newBudget } from "../data/sample-budgets.js";
import { atLeast, type Benchmark, rateRatio } from "../harness/benchmark.js";
import { callersSide } from "../harness/callers-side.js";
import { CONCURRENT } from "../harness/concurrently.js";
import { pgbenchSides } from "../harness/pgbench.js";
import { newDatabase, withPool, withPostgres } from "../harness/postgres.js";
import { measureInTurn } from "../harness/rounds.js";
import { withServers } from "../harness/server-process.js";
import { serverSide } from "../harness/server-side.js";
import { ourPostgres } from "../ours/postgres-database.js";
import { openPostgresService } from "../ours/postgres-service.js";
import { createsOfOurs } from "../ours/requests.js";

const OUT_OF_THE_WAY = 1_000_000_000; // of the ids that the server gives

export const createOnPostgres: Benchmark = {
  title: "POST of a budget with three items and its outbox row in PostgreSQL, each commit on disk",
  run: (settings) =>
    withPostgres(async (url) => {
      // Each server has a database of its own: of two on one, each would do the dispatcher's work of the other too.
      const ours = await ourPostgres(await newDatabase(url, "ours"), settings.budgets);
      const beside = await ourPostgres(await newDatabase(url, "beside"), settings.budgets);
      const inProcess = await ourPostgres(await newDatabase(url, "in_process"), settings.budgets);
      const theirs = await baselinePostgres(await newDatabase(url, "by_hand"), settings.budgets);
      const servers = [
        { kind: "hono-postgres", path: ours.path, limiter: "file" },
        { kind: "hono-postgres", path: beside.path, limiter: "memory" },
        { kind: "hand-written-postgres", path: theirs.path, limiter: "file" },
      ] as const;
      return withServers(servers, settings, ([shared, alone, hand]) =>
        withPool(theirs.path, CONCURRENT, async (pool) => {
          if (!shared || !alone || !hand) throw new Error("a server is missing");
          const [together, each] = [createAtOnce(pool), createInTransaction(pool)];
          const given = JSON.parse(newBudget);
          const { service, close } = openPostgresService(inProcess.path, "memory");
          await service.start();
          const actor = { kind: "system", businessId: inProcess.businessId } as const;
          const scripts = createScripts(given);
          const [inPostgres, inMemory, transactions, statements, own, bareTransactions, ...others] =
            await measureInTurn(
              [
                serverSide("Budgetkit, Hono, limiter in PostgreSQL", shared, createsOfOurs(ours), settings),
                serverSide("Budgetkit, Hono, limiter in memory", alone, createsOfOurs(beside), settings),
                serverSide("hand-written, a transaction each", hand, createsOfBaseline(theirs), settings),
                serverSide(
                  "hand-written, a statement each",
                  hand,
                  createsOfBaseline(theirs, "/budgets/at-once"),
                  settings,
                ),
                callersSide("Budgetkit, no server", async () =>
                  (await service.budgets.create(actor, given))._unsafeUnwrap(),
                ),
                callersSide("no server, a transaction each", (count) => each(OUT_OF_THE_WAY + count, given)),
                callersSide("no server, a statement each", (count) => together(2 * OUT_OF_THE_WAY + count, given)),
                ...pgbenchSides(theirs.path, {
                  "pgbench, a transaction each": scripts.transaction,
                  "pgbench, a statement each": scripts.statement,
                }),
              ],
              settings,
            );
          await close();
          return {
            measured: [inPostgres, inMemory, transactions, statements, own, bareTransactions, ...others],
            verdicts: [
              rateRatio(
                "create on PostgreSQL / hand-written, a transaction each",
                inPostgres,
                transactions,
                atLeast(3),
              ),
              rateRatio("the same with the limiter in memory", inMemory, transactions, atLeast(3)),
              rateRatio("create on PostgreSQL / hand-written, a statement each", inPostgres, statements, null),
              rateRatio("the same without servers, a transaction each", own, bareTransactions, null),
            ],
          };
        }),
      );
    }),
};
