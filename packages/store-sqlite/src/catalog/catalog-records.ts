import {
  type AuditEntry,
  asDocument,
  asText,
  type CatalogRecord,
  type EventToCommit,
  type IdempotencyRecord,
  idToFind,
  idToWrite,
  type RecordInsertOutcome,
  type RecordReplaceOutcome,
  recordKeyOf,
  type Taken,
} from "@budgetkit/core/store";
import type { Connection, SqlValue } from "../engine/connection.js";
import { entriesWriter } from "../events/events.js";
import { claimCompleter } from "../events/idempotency.js";
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

/** Look-ups, writes and lists of one kind of record. */
export function sqliteRecords<R extends CatalogRecord>(connection: Connection, kind: RecordTable<R>) {
  const columns = [...COLUMNS, ...kind.ownColumns];
  const table = `budgetkit_${kind.name}`;
  const insert = connection.command(
    `INSERT OR FAIL INTO ${table} (${columns.join(", ")}, business_id, id)
     VALUES (${columns.map(() => "?").join(", ")}, ?, ?)`,
  );
  const update = connection.command(
    `UPDATE OR FAIL ${table} SET ${columns.map((column) => `${column} = ?`).join(", ")} WHERE business_id = ? AND id = ?`,
  );
  const findDocument = connection.value(`SELECT document FROM ${table} WHERE business_id = ? AND id = ?`);
  const completeClaim = claimCompleter(connection);
  const prepareEntries = entriesWriter(connection);

  function find(business: number, id: string): R | null {
    const document = findDocument(business, id);
    return document === undefined ? null : asDocument<R>(document);
  }

  function valuesOf(record: R): SqlValue[] {
    const { version, createdAt, deletedAt } = record;
    const nameKey = asText(recordKeyOf(record, "name").value);
    const values = [version, nameKey, createdAt, deletedAt, kind.searchText(record), JSON.stringify(record)];
    return [...values, ...kind.ownValuesOf(record)];
  }

  return {
    insert: async (
      record: R,
      events: readonly EventToCommit[],
      idempotencyRecord: IdempotencyRecord | null,
      audit: AuditEntry | null = null,
    ): Promise<RecordInsertOutcome> => {
      const business = idToWrite(record.businessId);
      const values = valuesOf(record);
      const appendEntries = prepareEntries(events, audit);
      return connection.write(() => {
        if (find(business, record.id) !== null) return { taken: "id", value: record.id };
        const taken = kind.findTaken(business, record, null);
        if (taken !== null) return taken;
        if (!completeClaim(idempotencyRecord)) return "claim-lost";
        insert(...values, business, record.id);
        kind.alsoWrite(business, record);
        appendEntries();
        return "written";
      });
    },

    replace: async (
      record: R,
      expectedVersion: number,
      events: readonly EventToCommit[],
      idempotencyRecord: IdempotencyRecord | null,
      audit: AuditEntry | null = null,
    ): Promise<RecordReplaceOutcome> => {
      const business = idToFind(record.businessId);
      const values = valuesOf(record);
      const appendEntries = prepareEntries(events, audit);
      return connection.write(() => {
        const stored = find(business, record.id);
        if (stored?.version !== expectedVersion) return "stale";
        const taken = kind.findTaken(business, record, stored);
        if (taken !== null) return taken;
        if (!completeClaim(idempotencyRecord)) return "claim-lost";
        update(...values, business, record.id);
        kind.alsoWrite(business, record);
        appendEntries();
        return "written";
      });
    },

    find: (businessId: string, id: string): Promise<R | null> => connection.read(() => find(idToFind(businessId), id)),

    findMany: (businessId: string, ids: readonly string[]): Promise<readonly R[]> =>
      lookUpEach(connection, ids, (id) => find(idToFind(businessId), id)),

    list: sqliteRecordList<R>(connection, kind.name),
  };
}

/**
 * The results of `find`, one for each distinct key that has one. A look-up for each key is cheaper in process than one
 * statement for a set of ids. The snapshot takes the read lock once; a lock costs as much as a look-up.
 */
function lookUpEach<K, T>(
  connection: Connection,
  keys: readonly K[],
  find: (key: K) => T | null,
): Promise<readonly T[]> {
  const query = () => [...new Set(keys)].flatMap((key) => find(key) ?? []);
  return keys.length > 1 ? connection.snapshot(query) : connection.read(query);
}
