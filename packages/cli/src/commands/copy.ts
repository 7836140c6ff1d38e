import { CopyRefused, type CopyReport } from "@budgetkit/store-kit";
import { z } from "zod";
import type { CopyOrder } from "../copy/copy-database.js";
import { comparisonTable, endOfProgress, progressLines } from "../copy/copy-output.js";
import { type Database, databaseOf } from "../settings/database-url.js";
import { StartFailure, UsageError } from "../terminal/failures.js";
import type { Report } from "../terminal/report.js";
import { type CommandCall, defineCommand } from "./define-command.js";

export const copyCommand = () =>
  defineCommand({
    usage: "copy",
    summary: "copy a SQLite database to PostgreSQL",
    about:
      "Copies a SQLite file into an empty PostgreSQL database and compares the two. Started again, it resumes. " +
      "Stop the server first. README.md of the standalone server describes the move.",
    examples: [
      "budgetkit copy --from file:./data/budgetkit.db --to postgres://user@host/database",
      "BUDGETKIT_COPY_TO=postgres://user:password@host/database budgetkit copy --from file:./data/budgetkit.db",
    ],
    settings: [],
    flags: [
      ["--from <url>", "the SQLite file: file:./data/budgetkit.db (BUDGETKIT_COPY_FROM)"],
      [
        "--to <url>",
        "the PostgreSQL database, which has to be there (BUDGETKIT_COPY_TO: arguments are seen by every user of a machine)",
      ],
    ],
    run: async ({ flags, environment, report }) => {
      const order = orderOf(flags(z.object({ from: z.string().optional(), to: z.string().optional() })), environment);
      const startedAt = performance.now();
      const { copyDatabase } = await import("../copy/copy-database.js"); // only this command needs both databases
      try {
        const copied = await copyDatabase({ ...order, onProgress: progressLines(process.stderr) });
        endOfProgress(process.stderr);
        reportCopy(copied, order, report, (performance.now() - startedAt) / 1_000);
      } catch (error) {
        endOfProgress(process.stderr);
        throw error instanceof CopyRefused ? new StartFailure(error.message) : error;
      }
    },
  });

interface Flags {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A database from a flag or, without one, from the environment. */
interface Named {
  readonly by: string; // the flag or variable
  readonly database: Database;
}

function orderOf(flags: Flags, environment: CommandCall["environment"]): CopyOrder {
  const from = databaseBy("--from", flags.from, "BUDGETKIT_COPY_FROM", environment);
  const to = databaseBy("--to", flags.to, "BUDGETKIT_COPY_TO", environment);
  if (from.database.kind !== "file") throw new UsageError(`${from.by} must be a SQLite file: file:./data/budgetkit.db`);
  if (to.database.kind === "postgres") return { from: from.database, to: to.database };
  throw new UsageError(`${to.by} must be a PostgreSQL database: postgres://user@host/database`);
}

function databaseBy(
  flag: string,
  given: string | undefined,
  variable: string,
  environment: CommandCall["environment"],
): Named {
  const by = given === undefined && environment[variable] ? variable : flag;
  const url = by === flag ? given : environment[variable];
  if (url === undefined) throw new UsageError(`${flag} is missing, and ${variable} is not set`);
  try {
    return { by, database: databaseOf(url) };
  } catch (error) {
    throw new UsageError(`${by} ${error instanceof Error ? error.message : "is no URL"}`);
  }
}

/** Throws a StartFailure when the databases differ. */
function reportCopy(copied: CopyReport, { from }: CopyOrder, report: Report, seconds: number): void {
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
