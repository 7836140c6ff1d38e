const TEXT_OID = 25;
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const MOST_BYTES_OF_UNIT = 3; // of a UTF-16 code unit in UTF-8

/**
 * A `text[]` in the binary format of PostgreSQL, in which nothing is escaped.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export function textArray(values: readonly (string | number | boolean | null)[]): Buffer {
  const texts = values.map((value) => (value === null || typeof value === "string" ? value : String(value)));
  const most = texts.reduce((sum, text) => sum + LENGTH_BYTES + MOST_BYTES_OF_UNIT * (text?.length ?? 0), HEADER_BYTES);
  const array = Buffer.allocUnsafeSlow(most);
  let end = 0;
  for (const field of [1, Number(texts.includes(null)), TEXT_OID, texts.length, 1]) {
    end = array.writeInt32BE(field, end); // dimensions, nulls, type, length, first index
  }
  for (const text of texts) {
    const length = text === null ? -1 : array.write(text, end + LENGTH_BYTES);
    array.writeInt32BE(length, end);
    end += LENGTH_BYTES + Math.max(0, length);
  }
  return array.subarray(0, end);
}
