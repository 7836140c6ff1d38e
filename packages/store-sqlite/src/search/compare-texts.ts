import { setImmediate as nextTurn } from "node:timers/promises";
import { asInteger, asList, asText, type Row } from "@budgetkit/store-kit";
import type { Connection } from "../engine/connection.js";

/** The tables that are searched, without the prefix. */
export type Searched = "budgets" | "customers" | "products" | "packages";

/** Bytes of text that one step compares: a few milliseconds, in which the event loop serves nothing else. */
const BYTES_AT_ONCE = 2 * 1024 * 1024;

/** What a row has where {@link lengthsQuery} reads it. SQLite reads the length of a text without the text. */
export const TEXT_BYTES = "octet_length(search_text) AS bytes";

/** The statement that reads the {@link TEXT_BYTES} of the selected rows as one list: many rows cost more. */
export function lengthsQuery(selectRows: string): string {
  return `SELECT json_group_array(bytes) FROM (${selectRows}) AS walked`;
}

export function asLengths(list: unknown): readonly number[] {
  return asList(JSON.parse(asText(list))).map(asInteger);
}

/** How many of the first texts one step compares: at least one. */
export function countForStep(lengths: readonly number[]): number {
  let bytes = 0;
  const count = lengths.findIndex((length) => {
    bytes += length;
    return bytes > BYTES_AT_ONCE;
  });
  return count < 0 ? lengths.length : Math.max(1, count);
}

/** Returns those of the records whose text has the text. A record is its id and the bytes of its text. */
export type CompareTexts = (business: number, records: readonly Row[], text: string) => Promise<readonly unknown[]>;

/** Compares the texts in bounded steps, between which other work is served. */
export function textComparer(connection: Connection, searched: Searched): CompareTexts {
  const findMatches = connection.values(
    `SELECT record.id FROM json_each(?) AS compared
     CROSS JOIN budgetkit_${searched} AS record ON record.business_id = ? AND record.id = compared.value
     WHERE instr(search_text, ?) > 0`,
  );

  return async (business, records, text) => {
    const found: unknown[] = [];
    for (let rest = records; rest.length > 0; ) {
      const count = countForStep(rest.map(([, bytes]) => asInteger(bytes)));
      const ids = JSON.stringify(rest.slice(0, count).map(([id]) => id));
      found.push(...(await connection.read(() => findMatches(ids, business, text))));
      rest = rest.slice(count);
      await nextTurn();
    }
    return found;
  };
}
