import { createGroupCommit, type Row } from "@budgetkit/store-kit";
import type { DirectoryKind } from "./layout.js";
import type { SqlValue } from "./session.js";

/** Rows that are found by a key, at most one for each. */
export interface KeyedRows {
  /** The columns of a key and their types, in order. */
  readonly key: Readonly<Record<string, string>>;
  /** A SELECT of the row of a key; the columns of the key are `key.id` and so on. */
  readonly row: string;
}

type Key = readonly (string | number)[];

/** Resolves with the row of each key, in the order of the keys; null = there is none. */
export type LookUp = (keys: readonly Key[]) => Promise<readonly (Row | null)[]>;

/** More than one, so that a slow statement does not delay the other look-ups. */
const STATEMENTS_IN_FLIGHT = 4;

/** Looks each key up by itself, so that an index is used for any number of keys. */
export function lookUpStatement({ key, row }: KeyedRows): string {
  const names = Object.keys(key).join(", ");
  const arrays = Object.values(key).map((type, index) => `$${index + 1}::${type}[]`);
  return `SELECT key.place, found.* FROM unnest(${arrays.join(", ")}) WITH ORDINALITY AS key (${names}, place)
    CROSS JOIN LATERAL (${row} LIMIT 1) AS found`;
}

/** Looks each key up by a statement of its own, with the key as its values. */
export function lookUpByOne({ key, row }: KeyedRows, reads: (sql: string) => FindRows): LookUp {
  const names = Object.keys(key);
  const sql = row.replace(/\bkey\.(\w+)/g, (_, name: string) => `$${names.indexOf(name) + 1}::${key[name]}`);
  const find = reads(`${sql} LIMIT 1`);
  return (keys) => Promise.all(keys.map(async (values) => (await find(...values))[0] ?? null));
}

/** Records that are found by a digest of the directory: `key.business`, `key.id` and `key.digest` of the record. */
export interface DirectedRows {
  /** As in {@link KeyedRows}. It compares the digest too, since the record may have changed after the directory was read. */
  readonly row: string;
}

/** Resolves with the row; null = there is none. */
export type DigestLookUp = (digest: string) => Promise<Row | null>;

/** Reads the directory and the record in one statement. The inner `key` is that of the record. */
export function directed(kind: DirectoryKind, { row }: DirectedRows): KeyedRows {
  return {
    key: { digest: "text" },
    row: `SELECT found.* FROM (
        SELECT business_id AS business, id, digest FROM @directory AS directory
        WHERE directory.kind = '${kind}' AND directory.digest = key.digest LIMIT 1
      ) AS key CROSS JOIN LATERAL (${row} LIMIT 1) AS found`,
  };
}

/** What runs {@link lookUpStatement} with an array for each column of the keys. */
export type FindRows = (...columns: SqlValue[]) => Promise<readonly Row[]>;

/** Concurrent look-ups share one statement: the round trip costs most of a look-up. */
export function sharedLookUps({ key }: KeyedRows, find: FindRows): LookUp {
  const group = createGroupCommit({ run: lookUp, maxInFlight: STATEMENTS_IN_FLIGHT });
  const alone = loneLookUps({ key }, find);

  async function lookUp(asks: readonly (readonly Key[])[]) {
    const rows = await alone(asks.flat());
    let from = 0;
    return asks.map((keys) => {
      from += keys.length;
      return { status: "fulfilled", value: rows.slice(from - keys.length, from) } as const;
    });
  }

  return async (keys) => (keys.length === 0 ? [] : group.commit(keys));
}

/** Each look-up is one statement. */
export function loneLookUps({ key }: Pick<KeyedRows, "key">, find: FindRows): LookUp {
  const columns = Object.keys(key);
  return async (keys) => {
    const rows: (Row | null)[] = keys.map(() => null);
    if (keys.length === 0) return rows;
    const found = await find(...columns.map((_, column) => keys.map((each) => each[column] ?? "")));
    for (const [place, ...row] of found) rows[Number(place) - 1] = row;
    return rows;
  };
}
