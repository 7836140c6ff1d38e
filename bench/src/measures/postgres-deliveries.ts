import { openGraphileWorker } from "../baseline/graphile-worker.js";
import { openPgBoss } from "../baseline/pg-boss.js";
import { measureBatches } from "../harness/batches.js";
import type { Benchmark } from "../harness/benchmark.js";
import { newDatabase, withPostgres } from "../harness/postgres.js";
import { withReceiverProcess } from "../harness/receivers.js";
import { CALLS, capsOf, openTicks } from "../ours/delivery-ticks.js";
import { openPostgresService } from "../ours/postgres-service.js";

const CONCURRENCY = 50;

export const deliveriesOnPostgres: Benchmark = {
  title: "deliveries from PostgreSQL to a local receiver, 50 at a time, beside queues whose jobs are the same POST",
  run: (settings) =>
    withPostgres((url) =>
      withReceiverProcess(async (origin) => {
        const ours = openPostgresService(await newDatabase(url, "ours"), "memory", capsOf(CONCURRENCY));
        await ours.store.migrate();
        const batches = [
          await openTicks("Budgetkit", ours, origin),
          await openPgBoss(await newDatabase(url, "pg_boss"), origin, { calls: CALLS, concurrency: CONCURRENCY }),
          await openGraphileWorker(await newDatabase(url, "graphile"), origin, {
            calls: CALLS,
            concurrency: CONCURRENCY,
          }),
        ];
        const { measured, firstBeside } = await measureBatches(batches, CALLS, settings);
        return {
          measured,
          figures: [
            { target: "deliveriesPgBoss", value: firstBeside(1) },
            { target: "deliveriesGraphile", value: firstBeside(2) },
          ],
          notes: [
            "A ratio is the median of those of neighbours. Budgetkit's time has the fan-out of the events and the record of each attempt in it; the others' jobs are there when theirs begins.",
          ],
        };
      }),
    ),
};
