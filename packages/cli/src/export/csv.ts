/** What a cell may hold; null is an empty cell. */
export type Cell = string | number | boolean | null;

/** What spreadsheets take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** A row as RFC 4180 writes it, without the end of its line. Text that begins like a formula gets an apostrophe in front. */
export function csvRow(cells: readonly Cell[]): string {
  return cells.map(csvCell).join(",");
}

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
