/** The rows of the first table behind a piece of text of a Markdown page, cell by cell. Throws without such a text. */
export function pageTable(page: string, text: string): string[][] {
  const start = page.indexOf(text);
  if (start === -1) throw new Error(`the page does not say ${JSON.stringify(text)}`);
  const lines = page.slice(start + text.length).split("\n");
  const table = lines.slice(lines.findIndex((line) => line.startsWith("|")));
  const end = table.findIndex((line) => !line.startsWith("|"));
  const rows = table.slice(2, end === -1 ? undefined : end);
  return rows.map((line) => line.split("|").map((cell) => cell.trim())).map((cells) => cells.slice(1, -1));
}
