/** The value of a cell; null = an empty cell. */
export type Cell = string | number | boolean | null;

/**
 * Matches the position before the start of a formula. Some spreadsheets separate cells by semicolons or tabs and ignore
 * quotes within a cell, so a formula can also start after any of these. They also skip white space and invisible
 * characters before the sign, and East Asian editions accept its full-width form. One class has all that is skipped: a
 * character of two alternatives, such as U+FEFF, would double the time of the search each time it occurs.
 */
const FORMULA = /^(?=[\t\r\n])|(?<=^|[;\t\r\n])(?=(?:(?![\t\r\n])["\s\p{Cf}\p{Cc}])*[=+\-@＝＋－＠])/gu;
const NEEDS_QUOTES = /[",\r\n]/;

/** A row by RFC 4180, without its line end. An apostrophe is put before the start of a formula. */
export function csvRow(cells: readonly Cell[]): string {
  return cells.map(csvCell).join(",");
}

function csvCell(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return String(cell);
  const text = cell.replace(FORMULA, "'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
