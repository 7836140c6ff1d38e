/** What a cell may hold; null is an empty cell. */
export type Cell = string | number | boolean | null;

/**
 * Before what spreadsheets take for the beginning of a formula. Some separate cells by semicolons or tabs and heed no quotes
 * within a cell, so that a formula begins behind any of those, too.
 */
const FORMULA = /^(?=[\t\r])|(?<=^|[;\t\r\n])(?="*[=+\-@])/g;
const NEEDS_QUOTES = /[",\r\n]/;

/** A row as RFC 4180 writes it, without the end of its line. What a formula could begin with gets an apostrophe in front. */
export function csvRow(cells: readonly Cell[]): string {
  return cells.map(csvCell).join(",");
}

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = cell.replace(FORMULA, "'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
