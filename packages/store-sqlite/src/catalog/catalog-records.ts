import {
  asDocument,
  asDocuments,
  asInteger,
  asText,
  type CatalogQuery,
  type CatalogRecord,
  type DomainEvent,
  encodeRecordKey,
  type IdempotencyRecord,
  idToFind,
  idToWrite,
  memoize,
  type Page,
  type RecordInsertOutcome,
  type RecordReplaceOutcome,
  recordKeyOf,
  type Taken,
} from "@budgetkit/core/store";
import type { Connection, SqlValue } from "../engine/connection.js";
import { outboxWriter } from "../events/events.js";
import { claimCompleter } from "../events/idempotency.js";

/** How one kind of record differs from the others. */
export interface RecordTable<R extends CatalogRecord> {
  readonly table: "budgetkit_customers" | "budgetkit_products" | "budgetkit_packages";
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
  const insert = connection.command(
    `INSERT INTO ${kind.table} (${columns.join(", ")}, business_id, id)
     VALUES (${columns.map(() => "?").join(", ")}, ?, ?)`,
  );
  const update = connection.command(
    `UPDATE ${kind.table} SET ${columns.map((column) => `${column} = ?`).join(", ")} WHERE business_id = ? AND id = ?`,
  );
  const findDocument = connection.value(`SELECT document FROM ${kind.table} WHERE business_id = ? AND id = ?`);
  const completeClaim = claimCompleter(connection);
  const prepareEvents = outboxWriter(connection);

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
      events: readonly DomainEvent[],
      idempotencyRecord: IdempotencyRecord | null,
    ): Promise<RecordInsertOutcome> => {
      const business = idToWrite(record.businessId);
      const values = valuesOf(record);
      const appendEvents = prepareEvents(events);
      return connection.write(() => {
        if (find(business, record.id) !== null) return { taken: "id", value: record.id };
        const taken = kind.findTaken(business, record, null);
        if (taken !== null) return taken;
        if (!completeClaim(idempotencyRecord)) return "claim-lost";
        insert(...values, business, record.id);
        kind.alsoWrite(business, record);
        appendEvents();
        return "written";
      });
    },

    replace: async (
      record: R,
      expectedVersion: number,
      events: readonly DomainEvent[],
      idempotencyRecord: IdempotencyRecord | null,
    ): Promise<RecordReplaceOutcome> => {
      const business = idToFind(record.businessId);
      const values = valuesOf(record);
      const appendEvents = prepareEvents(events);
      return connection.write(() => {
        const stored = find(business, record.id);
        if (stored?.version !== expectedVersion) return "stale";
        const taken = kind.findTaken(business, record, stored);
        if (taken !== null) return taken;
        if (!completeClaim(idempotencyRecord)) return "claim-lost";
        update(...values, business, record.id);
        kind.alsoWrite(business, record);
        appendEvents();
        return "written";
      });
    },

    find: (businessId: string, id: string): Promise<R | null> => connection.read(() => find(idToFind(businessId), id)),

    findMany: (businessId: string, ids: readonly string[]): Promise<readonly R[]> =>
      lookUpEach(connection, ids, (id) => find(idToFind(businessId), id)),

    list: sqliteRecordList<R>(connection, kind.table),
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

/** A condition of a WHERE clause and the values of its placeholders. */
interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

const ORDER = { createdAt: ["created_at", "by_creation"], name: ["name_key", "by_name"] } as const;

function sqliteRecordList<R extends CatalogRecord>(connection: Connection, table: RecordTable<R>["table"]) {
  const statementOf = memoize((sql) => connection.values(sql));

  function run(sql: string, conditions: readonly Condition[], ...rest: SqlValue[]): readonly unknown[] {
    const where = conditions.map((condition) => condition.sql).join(" AND ");
    const values = conditions.flatMap((condition) => condition.values);
    return statementOf(sql.replace("WHERE", `WHERE ${where}`))(...values, ...rest);
  }

  /** The documents of a page, and one more if others follow. */
  function documentsOf(query: CatalogQuery, filters: readonly Condition[], total: number): readonly unknown[] {
    const offset = query.position.kind === "offset" ? query.position.offset : 0;
    if (offset >= total) return [];
    const [column, index] = ORDER[query.sort];
    const order = `ORDER BY ${column} ${query.order}, id ${query.order}`;
    const sql = `SELECT document FROM ${table} INDEXED BY ${table}_${index} WHERE ${order} LIMIT ? OFFSET ?`;
    return run(sql, [...filters, ...positionConditions(query, column)], query.limit + 1, offset);
  }

  return async (businessId: string, query: CatalogQuery): Promise<Page<R>> => {
    const { total, documents } = await connection.snapshot(() => {
      const filters = filtersOf(idToFind(businessId), query);
      const [count] = run(`SELECT count(*) FROM ${table} INDEXED BY ${table}_by_creation WHERE`, filters);
      const total = asInteger(count);
      return { total, documents: documentsOf(query, filters, total) };
    });
    const entries = await asDocuments<R>(documents.slice(0, query.limit));
    const last = entries.at(-1);
    const follows = documents.length > query.limit && last !== undefined;
    return { entries, total, nextCursor: follows ? encodeRecordKey(recordKeyOf(last, query.sort)) : null };
  };
}

function filtersOf(business: number, { includeDeleted, search }: CatalogQuery): Condition[] {
  return [
    { sql: "business_id = ?", values: [business] },
    ...(includeDeleted ? [] : [{ sql: "deleted_at IS NULL", values: [] }]),
    ...(search === null ? [] : [{ sql: "instr(search_text, ?) > 0", values: [search] }]),
  ];
}

function positionConditions({ position, order }: CatalogQuery, column: string): Condition[] {
  if (position.kind === "offset") return [];
  const { value, id } = position.key;
  return [{ sql: `(${column}, id) ${order === "asc" ? ">" : "<"} (?, ?)`, values: [value, id] }];
}
