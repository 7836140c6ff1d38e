import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { z } from "zod";
import { type ImportSummary, importLines } from "../import/import-lines.js";
import { linesOf } from "../lines/lines-of.js";
import { StartFailure } from "../terminal/failures.js";
import { defineCommand, needed } from "./define-command.js";
import { actorIn, withService } from "./operator.js";

const PROGRESS_EVERY = 100;

export const importCommand = () =>
  defineCommand({
    usage: "import [file]",
    summary: "bring the lines of an export into a business",
    about:
      "Reads the JSON lines of budgetkit export, from a file or standard input, and makes the customers, products, packages, " +
      "budgets, payments and messages in them. Records keep their ids, budgets get new ones; both keep when they were made. What is " +
      "there already is skipped, what differs is reported with its line, and the import continues. A second run changes nothing.",
    examples: [
      "budgetkit import business.jsonl --business 1002 --dry-run",
      "budgetkit export --business 1001 | budgetkit import --business 1002 --database-url file:other.db",
    ],
    settings: ["DATABASE_URL"],
    flags: [
      ["--business <id>", "the business to bring them into"],
      ["--dry-run", "check every line as an import does, and change nothing"],
    ],
    run: async ({ args: [path], settings, flags, report }) => {
      const { business, dryRun } = flags(z.object({ business: needed, dryRun: z.boolean().default(false) }));
      const input = path === undefined ? process.stdin : await opened(path);
      const summary = await withService(
        settings(),
        async ({ service, store }) =>
          importLines(
            { service, store, actor: await actorIn(service, business) },
            linesOf(input),
            (number, why) => report.note(`line ${number}: ${why}`),
            (count) => {
              if (count % PROGRESS_EVERY === 0) report.progress(`${count} lines`);
            },
            dryRun,
          ),
        { references: "open" }, // a budget may name deleted records
      );
      report.result({ dryRun, ...summary }, textOf(summary, dryRun));
      const wrong = summary.conflicts + summary.refused;
      if (wrong > 0) throw new StartFailure(`${wrong} of the lines could not be brought in.`);
    },
  });

async function opened(path: string): Promise<Readable> {
  try {
    await (await open(path)).close();
  } catch (error) {
    throw new StartFailure(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return createReadStream(path);
}

function textOf({ created, skipped, conflicts, refused, leftOut }: ImportSummary, isDryRun: boolean): string {
  const made = isDryRun ? "would be made" : "made";
  return `${created} ${made}, ${skipped} there already, ${conflicts} in conflict, ${refused} refused, ${leftOut} left out`;
}
