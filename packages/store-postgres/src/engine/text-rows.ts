/** The columns of a row and their types, in the order in which their values are sent. */
export type ColumnTypes = Readonly<Record<string, string>>;

/** A value of each column, as PostgreSQL reads it. */
export type TextRow<Types extends ColumnTypes> = Readonly<Record<keyof Types, string | number | null>>;

/** A row as texts, one for each column. */
export function textsOf<Types extends ColumnTypes>(types: Types, row: TextRow<Types>): (string | null)[] {
  const values: Readonly<Record<string, string | number | null>> = row;
  return Object.keys(types).map((column) => {
    const value = values[column] ?? null;
    return typeof value === "number" ? String(value) : value;
  });
}

/** The columns of the row that begins with the text number `first`, for a SELECT. */
export function columnsAt(types: ColumnTypes, first: string): string {
  return Object.keys(types)
    .map((column) => `${columnAt(types, column, first)} AS ${column}`)
    .join(", ");
}

/** The column of that row. */
export function columnAt(types: ColumnTypes, column: string, first: string): string {
  const text = `texts[${first} + ${Object.keys(types).indexOf(column)}]`;
  return types[column] === "text" ? text : `${text}::${types[column]}`;
}

/** The number of texts of a row. */
export function lengthOf(types: ColumnTypes): number {
  return Object.keys(types).length;
}

const TEXT_OID = 25;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

/**
 * A `text[]` in the binary format of PostgreSQL, in which nothing is escaped.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function textArray(texts: readonly (string | null)[]): Uint8Array {
  const bytes = texts.reduce((sum, text) => sum + LENGTH_BYTES + Buffer.byteLength(text ?? ""), HEADER_BYTES);
  const array = Buffer.allocUnsafe(bytes);
  let end = 0;
  for (const field of [1, Number(texts.includes(null)), TEXT_OID, texts.length, 1]) {
    end = array.writeInt32BE(field, end); // dimensions, nulls, type, length, first index
  }
  for (const text of texts) {
    const length = text === null ? -1 : array.write(text, end + LENGTH_BYTES);
    array.writeInt32BE(length, end);
    end += LENGTH_BYTES + Math.max(0, length);
  }
  return array;
}
