import type { Statements } from "../engine/statements.js";
import type { Transaction } from "../engine/transaction.js";

/** The tables with a search, and the type of their ids. */
export const SEARCHED = { budgets: "bigint", customers: "text", products: "text", packages: "text" } as const;

export type Searched = keyof typeof SEARCHED;

/** Ids in a row of the table of waiting texts. */
const CHUNK = 256;

/** Notes the new and changed texts of a transaction, for the search index. */
export interface TextNotes {
  /** `isChange`: the record may be in the index with its former text. */
  note(searched: Searched, id: string, isChange: boolean): void;
  write(transaction: Transaction): void;
}

export function textNotes(statements: Statements): () => TextNotes {
  const insert = statements.write(
    "INSERT INTO @search_waiting (business_id, searched, ids, is_change) VALUES ($1, $2, $3::text[], $4)",
  );
  return () => {
    const noted = new Map<
      string,
      { readonly searched: Searched; readonly isChange: boolean; readonly ids: string[] }
    >();
    return {
      note: (searched, id, isChange) => {
        const key = `${searched} ${isChange}`;
        const notes = noted.get(key) ?? { searched, isChange, ids: [] };
        noted.set(key, notes);
        notes.ids.push(id);
      },
      write: (transaction) => {
        for (const { searched, isChange, ids } of noted.values()) {
          for (let from = 0; from < ids.length; from += CHUNK) {
            insert(transaction, searched, ids.slice(from, from + CHUNK), isChange);
          }
        }
        noted.clear();
      },
    };
  };
}

/** A statement that notes the texts of new rows, which have the columns `business_id` and `id`. */
export function notingRows(searched: Searched, rows: string): string {
  return `INSERT INTO @search_waiting (searched, business_id, ids, is_change)
    SELECT '${searched}', business_id, array_agg(id::text), false
    FROM (SELECT business_id, id, (row_number() OVER () - 1) / ${CHUNK} AS chunk FROM ${rows}) AS numbered
    GROUP BY business_id, chunk`;
}

export function isSearched(table: string): table is Searched {
  return table in SEARCHED;
}
