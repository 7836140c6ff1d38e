import type { Benchmark, Report } from "../harness/benchmark.js";
import { newDatabase, withPostgres } from "../harness/postgres.js";
import { ourPostgres } from "../ours/postgres-database.js";
import { openPostgresService } from "../ours/postgres-service.js";
import { joined, measureSearch, sizesOf } from "./search.js";

export const searchOnPostgres: Benchmark = {
  title: "search of budgets in PostgreSQL",
  run: (settings) =>
    withPostgres(async (url) => {
      const reports: Report[] = [];
      for (const budgets of sizesOf(settings)) {
        const database = await ourPostgres(await newDatabase(url, `of_${budgets}`), budgets);
        const { service, close } = openPostgresService(database.path, "memory");
        reports.push(await measureSearch(service, database, settings));
        await close();
      }
      return joined(reports);
    }),
};
