/** Longer texts are no table that somebody copied for a budget. */
const MAX_LENGTH = 1_000_000;
const MAX_ROWS = 1_000;

/** Whether a pasted text is more than the content of one cell. */
export function isTable(text: string): boolean {
  return text.length <= MAX_LENGTH && (text.includes("\t") || text.trim().includes("\n"));
}

/** The cells of a table that was copied from a spreadsheet (TSV) or a file (CSV). Loads the reader when it is needed. */
export async function readCells(text: string): Promise<readonly (readonly string[])[]> {
  const { default: papaparse } = await import("papaparse");
  const delimiter = text.includes("\t") ? { delimiter: "\t" } : {};
  const { data } = papaparse.parse<string[]>(text, { skipEmptyLines: "greedy", preview: MAX_ROWS, ...delimiter });
  return data;
}
