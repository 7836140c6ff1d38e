type Cell = string | number;

/** CSV for spreadsheets: the mark of order makes them read UTF-8. */
export function writeCsv(rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${rows.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("")}`;
}

/** A text that a spreadsheet would compute gets an apostrophe before it. Source: OWASP, CSV injection. */
export function csvCell(cell: Cell): string {
  const text = String(cell);
  const isHarmless = typeof cell === "number" || /^-\d+([.,]\d+)?$/.test(text);
  const safe = !isHarmless && /^\s*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",;\r\n\t']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
