import {
  type CatalogQuery,
  type CatalogRecord,
  type Expected,
  type Page,
  recordKeyOf,
  type Taken,
  uncounted,
} from "@budgetkit/core/store";
import { asDocument, asText, idToFind, idToWrite } from "@budgetkit/store-kit";
import type { Inspect } from "../commit/handlers.js";
import type { Connection, SqlValue } from "../engine/connection.js";
import { rowWriter } from "../engine/row-writer.js";
import { type CatalogTable, sqliteRecordList } from "./catalog-list.js";

/** How one kind of record differs from the others. */
export interface RecordTable<R extends CatalogRecord> {
  readonly name: CatalogTable;
  readonly ownColumns: readonly string[];
  ownValuesOf(record: R): readonly SqlValue[];
  searchText(record: R): string;
  /** The unique value that another record holds; null = none. `stored` is the record that this one replaces. */
  findTaken(business: number, record: R, stored: R | null): Taken | null;
  /** Writes the other rows of the record. */
  alsoWrite(business: number, record: R): void;
}

const COLUMNS = ["version", "name_key", "created_at", "deleted_at", "search_text", "document"];

/** Look-ups and lists of one kind of record. */
export interface CatalogRecordsOf<R extends CatalogRecord> {
  find(businessId: string, id: string): Promise<R | null>;
  findMany(businessId: string, ids: readonly string[]): Promise<readonly R[]>;
  list(businessId: string, query: CatalogQuery): Promise<Page<R>>;
}

export function catalogRecords<R extends CatalogRecord>(
  connection: Connection,
  name: CatalogTable,
): CatalogRecordsOf<R> {
  const findStored = recordFinder<R>(connection, name);
  const find = (businessId: string, id: string) => findStored(idToFind(businessId), id);
  return {
    find: (businessId, id) => connection.read(() => find(businessId, id)),

    // A look-up for each id is cheaper in process than one statement for all. The snapshot takes the read lock once.
    findMany: (businessId, ids) => {
      const query = () => [...new Set(ids)].flatMap((id) => find(businessId, id) ?? []);
      return ids.length > 1 ? connection.snapshot(query) : connection.read(query);
    },

    list: sqliteRecordList<R>(connection, name),
  };
}

/** Prepares the writes of one kind of record. */
export function recordWriter<R extends CatalogRecord>(
  connection: Connection,
  kind: RecordTable<R>,
): (write: { readonly record: R; readonly expected: Expected }) => Inspect {
  const columns = [...COLUMNS, ...kind.ownColumns];
  const { insert, update } = rowWriter(connection, `budgetkit_${kind.name}`, columns, "OR FAIL");
  const find = recordFinder<R>(connection, kind.name);

  function valuesOf(record: R): SqlValue[] {
    const { version, createdAt, deletedAt } = record;
    const nameKey = asText(recordKeyOf(record, "name").value);
    const values = [version, nameKey, createdAt, deletedAt, kind.searchText(record), JSON.stringify(record)];
    return [...values, ...kind.ownValuesOf(record)];
  }

  return ({ record, expected }) => {
    const { businessId, id } = record;
    const business = expected === "absent" ? idToWrite(businessId) : idToFind(businessId);
    const values = valuesOf(record);
    const write = expected === "absent" ? insert : update;
    return () => {
      const stored = find(business, id);
      if (expected === "absent" && stored !== null) return { taken: "id", value: id };
      if (expected !== "absent" && stored?.version !== expected) return "stale";
      const taken = kind.findTaken(business, record, stored);
      if (taken !== null) return taken;
      return uncounted(() => {
        write(...values, business, id);
        kind.alsoWrite(business, record);
      });
    };
  };
}

function recordFinder<R>(connection: Connection, name: CatalogTable): (business: number, id: string) => R | null {
  const findDocument = connection.value(`SELECT document FROM budgetkit_${name} WHERE business_id = ? AND id = ?`);
  return (business, id) => {
    const document = findDocument(business, id);
    return document === undefined ? null : asDocument<R>(document);
  };
}
