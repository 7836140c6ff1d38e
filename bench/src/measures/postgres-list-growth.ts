import type { Benchmark } from "../harness/benchmark.js";
import { newDatabase, withPostgres } from "../harness/postgres.js";
import { ourPostgres } from "../ours/postgres-database.js";
import { openPostgresService } from "../ours/postgres-service.js";
import { measureGrowth } from "./list-growth.js";

export const listGrowthOnPostgres: Benchmark = {
  title: "list page of 10 in PostgreSQL in a large business, beside a small one",
  run: (settings) =>
    withPostgres(async (url) => {
      const small = await ourPostgres(await newDatabase(url, "small"), settings.budgets);
      const large = await ourPostgres(await newDatabase(url, "large"), settings.manyBudgets);
      return measureGrowth({ kind: "hono-postgres", open: openPostgresService, small, large }, settings, {
        all: { recorded: "list on PostgreSQL, p50: large business / small one" },
        byCursor: { recorded: "list by cursor on PostgreSQL, p50: deep page / first page" },
      });
    }),
};
