import { z } from "zod";
import { refuseDatabase } from "../settings/open-store.js";
import { readDatabase } from "../settings/settings.js";
import { UsageError } from "../terminal/failures.js";
import { ownCommand } from "../terminal/own-command.js";
import { defineCommand } from "./define-command.js";
import { openDatabase } from "./operator.js";

export const migrateCommand = () =>
  defineCommand({
    usage: "migrate",
    summary: "bring the schema of the database up to date",
    about:
      "Creates the schema or applies the missing steps, and prints their number. The server does the same when it starts. " +
      "Stop servers of an earlier release first: they report not ready afterwards. It needs only DATABASE_URL, " +
      "and no secret. With --distribute it also distributes the tables over the workers of Citus, and locks them meanwhile.",
    examples: [
      "budgetkit migrate",
      "DATABASE_URL=postgres://… budgetkit migrate --json",
      "budgetkit migrate --distribute",
    ],
    settings: ["DATABASE_URL"],
    flags: [["--distribute", "distribute the tables over the workers of Citus, by business"]],
    run: async ({ environment, report, flags }) => {
      const { distribute } = flags(z.object({ distribute: z.boolean().default(false) }));
      const database = readDatabase(environment);
      if (distribute && database.kind !== "postgres")
        throw new UsageError("--distribute needs a PostgreSQL with Citus");
      const store = await openDatabase(database, true, { distribute });
      try {
        const applied = await store.pendingMigrations().catch(refuseDatabase);
        await store.migrate().catch(refuseDatabase);
        const text = applied === 0 ? "The schema is up to date." : `The schema is up to date: ${applied} applied.`;
        report.result({ applied }, text);
        if ((await store.findUnsignedBeginnings(1)).length > 0) {
          report.note(
            `Where the chains of older ledgers begin is not signed yet: run ${ownCommand()} ledger sign-beginnings, once.`,
          );
        }
      } finally {
        await store.close();
      }
    },
  });
