import { pluralOf } from "../plural.js";

const plural = pluralOf("en");

/** The import of records from a file. */
export const importing = {
  open: "Import",
  chooseFile: "Choose a file",
  dropText: "Drop a CSV file here, or choose one.",
  limits: "Up to 5 MB and 10,000 rows. Commas, semicolons and tabs are found by themselves.",
  paste: "Or paste rows from a spreadsheet",
  readPasted: "Read the pasted rows",
  fieldsThere: (fields: string) => `Columns can be for: ${fields}.`,
  fileProblems: {
    empty: "There are no rows in it.",
    tooLarge: "It is larger than 5 MB. Divide it into several files.",
    tooManyRows: "It has more than 10,000 rows. Divide it into several files.",
    tooManyColumns: "It has more than 100 columns.",
    broken: "It cannot be read as CSV: a quoted cell may have no end.",
  },
  hasHeader: "The first row names the columns",
  decimal: "Decimals",
  decimals: { comma: "1.250,50", point: "1,250.50" },
  columns: "What each column is for",
  column: (number: number) => `Column ${number}`,
  fieldOf: (column: string) => `Field for ${column}`,
  leftOut: "Leave out",
  missing: (fields: string) => `Choose the column for: ${fields}.`,
  preview: "The first rows, as they will be",
  rowNumber: "Row",
  problems: "What is wrong",
  summary: (right: number, wrong: number) =>
    wrong === 0
      ? plural(right, { one: "1 row is right.", other: `${right} rows are right.` })
      : `${plural(right, { one: "1 row is right", other: `${right} rows are right` })}; ${plural(wrong, {
          one: "1 has errors and is left out.",
          other: `${wrong} have errors and are left out.`,
        })}`,
  start: (rows: number) => plural(rows, { one: "Import 1 row", other: `Import ${rows} rows` }),
  row: (line: number) => `Row ${line}:`,
  rowField: (line: number, field: string) => `Row ${line}, ${field}:`,
  moreProblems: (count: number) => `And ${count} more.`,
  cellProblems: {
    required: "This is needed.",
    tooLong: "This is too long.",
    email: "This is not an email address.",
    cuit: "This is not a valid CUIT of 11 digits.",
    dni: "This needs 7 or 8 digits.",
    id: "This may have letters, digits and . _ : - only.",
    number: "This is not a number.",
    negative: "This must not be negative.",
    decimals: "This has more than 6 decimals.",
    rate: "This must be between 0 and 100 %.",
    currency: "This needs a code such as ARS.",
    yesNo: "Write yes or no.",
    twice: "An earlier row has the same.",
  },
  sending: "Importing",
  stop: "Stop",
  progress: (done: string, total: string) => `${done} of ${total}`,
  paused: (seconds: number) =>
    `The limit of requests is used up. It goes on in ${plural(seconds, { one: "1 second", other: `${seconds} seconds` })}.`,
  resultTitle: "Import finished",
  result: (created: number, left: number) =>
    left === 0
      ? plural(created, { one: "1 row imported.", other: `${created} rows imported.` })
      : `${plural(created, { one: "1 row imported", other: `${created} rows imported` })}, ${left} not.`,
  failedHint: "Download the rows that were not imported, correct them, and import that file.",
  notSent: "It was not sent.",
  errorColumn: "error",
  downloadFailed: (rows: number) => plural(rows, { one: "Download 1 row", other: `Download ${rows} rows` }),
  sendAgain: (rows: number) => plural(rows, { one: "Send 1 row again", other: `Send ${rows} rows again` }),
};
