import type { ParseResult, Parser } from "papaparse";

export const MAX_BYTES = 5 * 1024 * 1024;
const MAX_ROWS = 10_000;
const MAX_COLUMNS = 100;
const CHUNK_CHARACTERS = 256 * 1024;

/** The rows of a file as texts, the one with the names of the columns included. */
export type CsvRows = readonly (readonly string[])[];

export type CsvProblem = "empty" | "tooLarge" | "tooManyRows" | "tooManyColumns" | "broken";

export class CsvError extends Error {
  constructor(readonly problem: CsvProblem) {
    super(problem);
  }
}

/**
 * Reads CSV with whatever delimiter it has, in chunks, so that the page stays usable and a file of too many rows ends
 * early. Rejects with a CsvError.
 */
export async function readCsv(text: string): Promise<CsvRows> {
  if (text.length > MAX_BYTES) throw new CsvError("tooLarge");
  const { default: papa } = await import("papaparse");
  return new Promise((resolve, reject) => {
    const rows: string[][] = [];
    papa.parse<string[]>(text, {
      skipEmptyLines: "greedy",
      delimitersToGuess: [",", ";", "\t", "|"],
      chunkSize: CHUNK_CHARACTERS,
      chunk: ({ data, errors }: ParseResult<string[]>, parser: Parser) => {
        for (const cells of data) rows.push(cells.map(textOfCell));
        const problem = problemOf(
          data,
          rows.length,
          errors.some(({ type }) => type === "Quotes"),
        );
        if (problem !== null) {
          reject(new CsvError(problem)); // before the end that abort reports as complete
          return parser.abort();
        }
        parser.pause();
        setTimeout(() => parser.resume());
      },
      complete: () => (rows.length === 0 ? reject(new CsvError("empty")) : resolve(rows)),
      error: () => reject(new CsvError("broken")),
    });
  });
}

function problemOf(data: readonly string[][], rows: number, isBroken: boolean): CsvProblem | null {
  if (isBroken) return "broken";
  if (rows > MAX_ROWS + 1) return "tooManyRows"; // one of them names the columns
  return data.some((cells) => cells.length > MAX_COLUMNS) ? "tooManyColumns" : null;
}

/** Without the apostrophe that keeps spreadsheets from computing a text: `'+54 11 4000`. */
function textOfCell(cell: string): string {
  const text = cell.trim();
  return /^'[=+\-@]/.test(text) ? text.slice(1) : text;
}
