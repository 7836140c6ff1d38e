import { z } from "zod";
import { CSV_COLUMNS } from "../export/csv-columns.js";
import { type CsvKind, csvLines, jsonLines } from "../export/export-business.js";
import { EXPORT_KINDS, type ExportKind } from "../export/export-line.js";
import { lineOutput } from "../export/line-output.js";
import { UsageError } from "../terminal/failures.js";
import { commaList, defineCommand, needed } from "./define-command.js";
import { actorIn, withService } from "./operator.js";

const PROGRESS_EVERY = 500;

const exportFlags = z.object({
  business: needed,
  only: z
    .string()
    .default(EXPORT_KINDS.join(","))
    .pipe(commaList)
    .pipe(z.array(z.enum(EXPORT_KINDS, `must be of ${EXPORT_KINDS.join(", ")}`))),
  format: z.enum(["jsonl", "csv"], "must be jsonl or csv").default("jsonl"),
  output: z.string().optional(),
});

export const exportCommand = () =>
  defineCommand({
    usage: "export",
    summary: "write what a business has as JSON lines or CSV",
    about:
      `Writes ${EXPORT_KINDS.join(", ")} of a business, oldest first, but for events, the newest of which come first. ` +
      "JSON lines carry the views of the interface, and budgetkit import reads them. CSV is one table: customers, products " +
      "or budgets. What is deleted is left out. A file appears under its name once it is complete.",
    examples: [
      "budgetkit export --business 1001 --output business.jsonl",
      "budgetkit export --business 1001 --only budgets --format csv > budgets.csv",
    ],
    settings: ["DATABASE_URL"],
    flags: [
      ["--business <id>", "the business"],
      ["--only <list>", "what to write, separated by commas; everything by default"],
      ["--format <format>", "jsonl, the default, or csv"],
      ["--output <file>", "where to; standard output by default"],
    ],
    run: async ({ settings, flags, report, isJson }) => {
      const { business, only, format, output } = flags(exportFlags);
      const table = format === "csv" ? tableOf(only) : null;
      if (isJson && output === undefined)
        throw new UsageError("--json needs --output: the lines take standard output.");
      await withService(settings(), async ({ service }) => {
        const source = { service, actor: await actorIn(service, business) };
        const name = (await service.businesses.find(business))?.name ?? "";
        const header = { format: 1, businessId: business, businessName: name } as const;
        const lines = table === null ? jsonLines(source, header, inOrder(only)) : csvLines(source, table);
        const target = await lineOutput(output);
        let written = -1; // the first line is the header
        try {
          for await (const line of lines) {
            await target.write(line);
            written += 1;
            if (written % PROGRESS_EVERY === 0) report.progress(`${written} written`);
          }
          await target.finish();
        } catch (error) {
          target.abandon();
          throw error;
        }
        if (output !== undefined) report.result({ output, written }, `${written} written to ${output}.`);
      });
    },
  });

function inOrder(kinds: readonly ExportKind[]): readonly ExportKind[] {
  return EXPORT_KINDS.filter((kind) => kinds.includes(kind));
}

function tableOf(kinds: readonly ExportKind[]): CsvKind {
  const [kind, ...others] = kinds;
  const tables = Object.keys(CSV_COLUMNS);
  if (others.length === 0 && isTable(kind)) return kind;
  throw new UsageError(`--format csv needs --only with one of ${tables.join(", ")}.`);
}

function isTable(kind: ExportKind | undefined): kind is CsvKind {
  return kind !== undefined && kind in CSV_COLUMNS;
}
