import { defineCommand } from "../define-command.js";
import { refuseDatabase } from "../open-store.js";
import { openDatabase } from "../operator.js";
import { readDatabase } from "../settings.js";

export const migrateCommand = () =>
  defineCommand({
    usage: "migrate",
    summary: "bring the schema of the database up to date",
    about:
      "Makes the schema, or applies the steps that it lacks, and tells how many. The server does the same when it starts. " +
      "Stop servers of a former release first: from then on they say that they are not ready. It needs DATABASE_URL alone, " +
      "and no secret.",
    examples: ["budgetkit migrate", "DATABASE_URL=postgres://… budgetkit migrate --json"],
    settings: ["DATABASE_URL"],
    run: async ({ environment, report }) => {
      const store = await openDatabase(readDatabase(environment), true);
      try {
        const applied = await store.pendingMigrations().catch(refuseDatabase);
        await store.migrate().catch(refuseDatabase);
        const text = applied === 0 ? "The schema is up to date." : `The schema is up to date: ${applied} applied.`;
        report.result({ applied }, text);
      } finally {
        await store.close();
      }
    },
  });
