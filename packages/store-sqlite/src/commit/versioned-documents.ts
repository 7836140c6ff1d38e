import { type Expected, type Page, uncounted } from "@budgetkit/core/store";
import { asDocument, asInteger, idToFind, idToWrite } from "@budgetkit/store-kit";
import type { Connection, SqlValue } from "../engine/connection.js";
import type { Inspect } from "./handlers.js";

/** A record of a business that is stored as one document. */
export interface VersionedDocument {
  readonly businessId: string;
  readonly id: string;
  readonly version: number;
  readonly createdAt: number;
}

/** Columns beside `version`, `created_at` and `document`, which queries filter by. */
export type OwnColumns<T> = Readonly<Record<string, (record: T) => SqlValue>>;

/** A table of documents with versions. */
export interface DocumentTable<T> {
  find(businessId: string, id: string): Promise<T | null>;
  /** Newest first; of the same millisecond the highest id first. */
  list(businessId: string, limit: number, offset: number): Promise<Page<T>>;
  /** How many there are, inside a transaction. */
  count(businessId: string): number;
  /** A new record rejects when the id is taken; a replacement is `"stale"` unless the stored one is at `expected`. */
  prepare(record: T, expected: Expected): Inspect;
  prepareRemoval(businessId: string, id: string): Inspect;
}

export function documentTable<T extends VersionedDocument>(
  connection: Connection,
  table: string,
  own: OwnColumns<T> = {},
): DocumentTable<T> {
  const OF_KEY = "business_id = ? AND id = ?";
  const columns = ["version", "created_at", "document", ...Object.keys(own)];
  const insert = connection.command(
    `INSERT INTO ${table} (${columns.join(", ")}, business_id, id) VALUES (${columns.map(() => "?").join(", ")}, ?, ?)`,
  );
  const update = connection.command(
    `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(", ")} WHERE ${OF_KEY}`,
  );
  const remove = connection.command(`DELETE FROM ${table} WHERE ${OF_KEY}`);
  const findVersion = connection.value(`SELECT version FROM ${table} WHERE ${OF_KEY}`);
  const find = connection.value(`SELECT document FROM ${table} WHERE ${OF_KEY}`);
  const count = connection.value(`SELECT count(*) FROM ${table} WHERE business_id = ?`);
  const list = connection.values(
    `SELECT document FROM ${table} WHERE business_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`,
  );
  const valuesOf = (record: T): SqlValue[] => [
    record.version,
    record.createdAt,
    JSON.stringify(record),
    ...Object.values(own).map((read) => read(record)),
  ];

  return {
    find: (businessId, id) =>
      connection.read(() => {
        const document = find(idToFind(businessId), idToFind(id));
        return document === undefined ? null : asDocument<T>(document);
      }),

    list: (businessId, limit, offset) =>
      connection.snapshot(() => {
        const business = idToFind(businessId);
        const entries = list(business, limit, offset).map(asDocument<T>);
        return { entries, total: asInteger(count(business)), nextCursor: null };
      }),

    count: (businessId) => asInteger(count(idToFind(businessId))),

    prepare: (record, expected) => {
      const values = valuesOf(record);
      const asKey = expected === "absent" ? idToWrite : idToFind;
      const key = [asKey(record.businessId), asKey(record.id)] as const;
      if (expected === "absent") return () => uncounted(() => void insert(...values, ...key));
      return () => (findVersion(...key) === expected ? uncounted(() => void update(...values, ...key)) : "stale");
    },

    prepareRemoval: (businessId, id) => {
      const key = [idToFind(businessId), idToFind(id)] as const;
      return () => (findVersion(...key) === undefined ? "missing" : uncounted(() => void remove(...key)));
    },
  };
}
