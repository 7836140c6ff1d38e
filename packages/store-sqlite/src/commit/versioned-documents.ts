import type { Expected, Page } from "@budgetkit/core/store";
import { asDocument, asInteger, idToFind } from "@budgetkit/store-kit";
import type { Connection, SqlValue } from "../engine/connection.js";
import { pageReader } from "../engine/page-reader.js";
import type { Inspect } from "./handlers.js";
import { versionedRows } from "./versioned-rows.js";

/** A record of a business that is stored as one document. */
interface VersionedDocument {
  readonly businessId: string;
  readonly id: string;
  readonly version: number;
  readonly createdAt: number;
}

/** Columns beside `version`, `created_at` and `document`, by which queries look. */
type OwnColumns<T> = Readonly<Record<string, (record: T) => SqlValue>>;

/** A table of documents. */
export interface DocumentTable<T> {
  find(businessId: string, id: string): Promise<T | null>;
  list(businessId: string, limit: number, offset: number): Promise<Page<T>>;
  /** How many there are, inside a transaction. */
  count(businessId: string): number;
  prepare(record: T, expected: Expected): Inspect;
  prepareRemoval(businessId: string, id: string): Inspect;
}

export function documentTable<T extends VersionedDocument>(
  connection: Connection,
  table: string,
  own: OwnColumns<T> = {},
): DocumentTable<T> {
  const rows = versionedRows(connection, table, ["version", "created_at", "document", ...Object.keys(own)]);
  const find = connection.value(`SELECT document FROM ${table} WHERE business_id = ? AND id = ?`);
  const from = `${table} WHERE business_id = ?`;
  const count = connection.value(`SELECT count(*) FROM ${from}`);
  const list = pageReader(connection, { columns: "document", from }, ([document]) => asDocument<T>(document));

  return {
    find: (businessId, id) =>
      connection.read(() => {
        const document = find(idToFind(businessId), idToFind(id));
        return document === undefined ? null : asDocument<T>(document);
      }),
    list: (businessId, limit, offset) => list([idToFind(businessId)], limit, offset),
    count: (businessId) => asInteger(count(idToFind(businessId))),
    prepare: (record, expected) => {
      const values = [record.version, record.createdAt, JSON.stringify(record)];
      return rows.prepare(record, [...values, ...Object.values(own).map((read) => read(record))], expected);
    },
    prepareRemoval: (businessId, id) => rows.prepareRemoval({ businessId, id }, "present"),
  };
}
