import { parseArgs } from "node:util";
import { CopyRefused, type CopyReport } from "@budgetkit/core/store";
import { type CopyOrder, copyDatabase } from "./copy-database.js";
import { comparisonTable, endOfProgress, progressLines } from "./copy-output.js";
import { type Database, databaseOf } from "./database-url.js";

const USAGE = `Usage: copy --from file:./data/budgetkit.db --to postgres://user:password@host/database

Copies a SQLite database to PostgreSQL. README.md of the standalone server tells how to move.`;

const WRONG_ARGUMENTS = 2;

/** Runs the command with its arguments. @returns its exit code */
export async function runCopy(args: readonly string[]): Promise<number> {
  const order = orderOf(args);
  if (typeof order === "string") {
    console.error(`${order}\n\n${USAGE}`);
    return WRONG_ARGUMENTS;
  }
  const startedAt = performance.now();
  try {
    const report = await copyDatabase({ ...order, onProgress: progressLines(process.stderr) });
    endOfProgress(process.stderr);
    return tell(report, order, (performance.now() - startedAt) / 1_000);
  } catch (error) {
    endOfProgress(process.stderr);
    if (!(error instanceof CopyRefused)) throw error;
    console.error(error.message);
    return 1;
  }
}

/** What the arguments ask for, or what is wrong with them. */
function orderOf(args: readonly string[]): CopyOrder | string {
  try {
    const { values } = parseArgs({ args: [...args], options: { from: { type: "string" }, to: { type: "string" } } });
    const from = databaseIn("--from", values.from);
    const to = databaseIn("--to", values.to);
    if (from.kind !== "file") return "--from must be a SQLite file: file:./data/budgetkit.db";
    if (to.kind !== "postgres") return "--to must be a PostgreSQL database: postgres://user:password@host/database";
    return { from, to };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function databaseIn(option: string, url: string | undefined): Database {
  if (url === undefined || url === "") throw new Error(`${option} is missing`);
  try {
    return databaseOf(url);
  } catch (error) {
    throw new Error(`${option} ${error instanceof Error ? error.message : "is no URL"}`);
  }
}

function tell(report: CopyReport, { from }: CopyOrder, seconds: number): number {
  console.log(comparisonTable(report));
  if (!report.isSame) {
    const names = report.tables.filter(({ isSame }) => !isSame).map(({ table }) => table);
    console.error(`\nThe databases differ in: ${names.join(", ")}`);
    if (report.wasComplete) console.error("The copy was complete before, and the databases have parted since.");
    return 1;
  }
  const outcome = report.wasComplete ? "The copy was complete before; both are the same." : "The copy is complete.";
  console.log(`\n${outcome} This took ${seconds.toFixed(1)} s.`);
  console.log(`Not copied: the files attached to budgets, in ${from.path}-attachments unless they had a folder of their
own, and the secret, in ${from.path}-secret unless it was set. Serve with BUDGETKIT_ATTACHMENTS_DIR and BUDGETKIT_SECRET.`);
  return 0;
}
