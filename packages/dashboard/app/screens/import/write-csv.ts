import { cellOf } from "../budgets/export/csv.js";

/** CSV for spreadsheets: the mark of order makes them read UTF-8, and no text of it is computed. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((cells) => `${cells.map(cellOf).join(",")}\r\n`).join("")}`;
}
