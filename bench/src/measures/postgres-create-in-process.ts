import { createScripts } from "../baseline/pgbench-scripts.js";
import { baselinePostgres } from "../baseline/postgres-database.js";
import { createAtOnce, createInTransaction } from "../baseline/postgres-writes.js";
import { newBudget } from "../data/sample-budgets.js";
import { type Benchmark, rateRatio } from "../harness/benchmark.js";
import { callersSide } from "../harness/callers-side.js";
import { CONCURRENT } from "../harness/concurrently.js";
import { pgbenchSides } from "../harness/pgbench.js";
import { newDatabase, withPool, withPostgres } from "../harness/postgres.js";
import { measureInTurn } from "../harness/rounds.js";
import { ourPostgres } from "../ours/postgres-database.js";
import { openPostgresService } from "../ours/postgres-service.js";

const SECOND_IDS = 1_000_000_000; // where those of the second side begin

export const createOnPostgresInProcess: Benchmark = {
  title: `service.budgets.create in PostgreSQL by ${CONCURRENT} callers in process, beside the same rows by hand`,
  run: (settings) =>
    withPostgres(async (url) => {
      const ours = await ourPostgres(await newDatabase(url, "ours"), settings.budgets);
      const theirs = await baselinePostgres(await newDatabase(url, "by_hand"), settings.budgets);
      const { service, close } = openPostgresService(ours.path, "memory");
      await service.start();
      const actor = { kind: "system", businessId: ours.businessId } as const;
      const given = JSON.parse(newBudget);
      const { transaction, statement } = createScripts(given);
      const measured = await withPool(theirs.path, CONCURRENT, (pool) => {
        const [together, each] = [createAtOnce(pool), createInTransaction(pool)];
        return measureInTurn(
          [
            callersSide("Budgetkit", async () => (await service.budgets.create(actor, given))._unsafeUnwrap()),
            callersSide("a transaction each", (count) => each(settings.budgets + count, given)),
            callersSide("a statement each", (count) => together(SECOND_IDS + count, given)),
            ...pgbenchSides(theirs.path, {
              "pgbench, a transaction each": transaction,
              "pgbench, a statement each": statement,
            }),
          ],
          settings,
        );
      });
      await close();
      const [own, transactions, statements] = measured;
      return {
        measured,
        figures: [
          rateRatio("createInProcess", own, transactions),
          rateRatio({ recorded: "create, PostgreSQL, in process / a statement each" }, own, statements),
        ],
      };
    }),
};
