import { CopyRefused, type CopyReport } from "@budgetkit/core/store";
import { z } from "zod";
import { type CopyOrder, copyDatabase } from "../copy-database.js";
import { comparisonTable, endOfProgress, progressLines } from "../copy-output.js";
import { type Database, databaseOf } from "../database-url.js";
import { defineCommand, needed } from "../define-command.js";
import type { Report } from "../report.js";
import { StartFailure } from "../start-failure.js";
import { UsageError } from "../usage-error.js";

export const copyCommand = () =>
  defineCommand({
    usage: "copy",
    summary: "copy a SQLite database to PostgreSQL",
    about:
      "Copies a SQLite file into an empty PostgreSQL database and compares the two. Started again, it goes on where it was. " +
      "The server has to be stopped. README.md of the standalone server tells how to move.",
    examples: ["budgetkit copy --from file:./data/budgetkit.db --to postgres://user:password@host/database"],
    settings: [],
    flags: [
      ["--from <url>", "the SQLite file: file:./data/budgetkit.db"],
      ["--to <url>", "the PostgreSQL database, which has to be there"],
    ],
    run: async ({ flags, report }) => {
      const order = orderOf(flags(z.object({ from: needed, to: needed })));
      const startedAt = performance.now();
      try {
        const copied = await copyDatabase({ ...order, onProgress: progressLines(process.stderr) });
        endOfProgress(process.stderr);
        tell(copied, order, report, (performance.now() - startedAt) / 1_000);
      } catch (error) {
        endOfProgress(process.stderr);
        throw error instanceof CopyRefused ? new StartFailure(error.message) : error;
      }
    },
  });

function orderOf(given: { readonly from: string; readonly to: string }): CopyOrder {
  const from = databaseIn("--from", given.from);
  const to = databaseIn("--to", given.to);
  if (from.kind !== "file") throw new UsageError("--from must be a SQLite file: file:./data/budgetkit.db");
  if (to.kind === "postgres") return { from, to };
  throw new UsageError("--to must be a PostgreSQL database: postgres://user:password@host/database");
}

function databaseIn(option: string, url: string): Database {
  try {
    return databaseOf(url);
  } catch (error) {
    throw new UsageError(`${option} ${error instanceof Error ? error.message : "is no URL"}`);
  }
}

/** Throws a StartFailure when the databases differ. */
function tell(copied: CopyReport, { from }: CopyOrder, report: Report, seconds: number): void {
  const table = comparisonTable(copied);
  if (!copied.isSame) {
    report.result(copied, table);
    const names = copied.tables.filter(({ isSame }) => !isSame).map(({ table }) => table);
    const parted = "\nThe copy was complete before, and the databases have parted since.";
    throw new StartFailure(`\nThe databases differ in: ${names.join(", ")}${copied.wasComplete ? parted : ""}`);
  }
  const outcome = copied.wasComplete ? "The copy was complete before; both are the same." : "The copy is complete.";
  const rest = `Not copied: the files attached to budgets, in ${from.path}-attachments unless they had a folder of their
own, and the secret, in ${from.path}-secret unless it was set. Serve with BUDGETKIT_ATTACHMENTS_DIR and BUDGETKIT_SECRET.`;
  report.result(copied, `${table}\n\n${outcome} This took ${seconds.toFixed(1)} s.\n${rest}`);
}
