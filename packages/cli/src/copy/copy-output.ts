import type { CopyProgress, CopyReport } from "@budgetkit/store-kit";

const TITLES = { reading: "Reading the source", copying: "Copying", comparing: "Comparing" } as const;

/** Progress output: one changing line on a terminal, else one line for each tenth of a table. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export function progressLines(output: ProgressOutput): (progress: CopyProgress) => void {
  let lastLine = "";
  return (progress) => {
    const line = output.isTTY === true ? lineOf(progress) : plainLineOf(progress);
    if (line === lastLine) return;
    lastLine = line;
    output.write(output.isTTY === true ? `\r\u001b[K${line}` : `${line}\n`);
  };
}

/** Clears the progress line of a terminal. */
export function endOfProgress(output: ProgressOutput): void {
  if (output.isTTY === true) output.write("\r\u001b[K");
}

function lineOf({ phase, table, rows, total }: CopyProgress): string {
  return `${TITLES[phase]}: ${table}, ${rows}${total === null ? "" : ` of ${total}`} rows`;
}

/** The same text within one tenth. */
function plainLineOf(progress: CopyProgress): string {
  const { phase, table, rows, total } = progress;
  if (total === null) return `${TITLES[phase]}: ${table}`;
  if (rows >= total) return lineOf(progress);
  return `${TITLES[phase]}: ${table}, ${Math.floor((10 * rows) / total)}0 % of ${total} rows`;
}

const SHOWN_OF_CHECKSUM = 12;

/** A table of the row counts of both databases. */
export function comparisonTable({ tables }: CopyReport): string {
  const rows = tables.map(({ table, source, target, isSame }) => [
    table,
    String(source.rows),
    String(target.rows),
    source.checksum.slice(0, SHOWN_OF_CHECKSUM),
    isSame ? "same" : `differs: ${target.checksum.slice(0, SHOWN_OF_CHECKSUM)}`,
  ]);
  const all = [["table", "SQLite", "PostgreSQL", "SHA-256", "both"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0)));
  const lineOfCells = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column === 1 || column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd();
  return all.map(lineOfCells).join("\n");
}
