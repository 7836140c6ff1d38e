import { existsSync } from "node:fs";
import type { OpenOptions, SqliteDatabase, SqliteDriver, SqliteStatement } from "./sqlite-database.js";

/** The members of a `DatabaseSync` of node:sqlite that the store uses. */
export interface NodeSqliteDatabase {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  prepare(sql: string): NodeSqliteStatement;
  exec(sql: string): unknown;
  close(): unknown;
}

export interface NodeSqliteStatement {
  run(...values: unknown[]): { readonly changes: number | bigint };
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  iterate(...values: unknown[]): Iterable<unknown>;
  setReturnArrays(enabled: boolean): unknown;
  setReadBigInts(enabled: boolean): unknown;
}

/** The parts of the module `node:sqlite`, of which the types of the oldest supported Node know nothing. */
export interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean; readonly timeout: number },
  ) => NodeSqliteDatabase;
}

const DEFAULT_TIMEOUT_MS = 5_000;

export function nodeSqliteDriver({ DatabaseSync }: NodeSqlite, version: string): SqliteDriver {
  function open(path: string, options: OpenOptions): SqliteDatabase {
    const { readonly: readOnly = false, fileMustExist = false, timeout = DEFAULT_TIMEOUT_MS } = options;
    if (fileMustExist && !existsSync(path)) throw new Error("the file does not exist");
    return adaptNodeSqlite(new DatabaseSync(path, { readOnly, timeout }), path);
  }
  return { name: "node:sqlite", version, open };
}

const adapted = new WeakMap<NodeSqliteDatabase, SqliteDatabase>();
const adapters = new WeakSet<SqliteDatabase>();

/**
 * The database with the members of a better-sqlite3 `Database`, the same object each time. `path` is the one it was opened
 * with; null = the caller opened it.
 */
export function adaptNodeSqlite(database: NodeSqliteDatabase, path: string | null = null): SqliteDatabase {
  const known = adapted.get(database);
  if (known !== undefined) return known;
  const adapter = adapterOf(database, path);
  adapted.set(database, adapter);
  adapters.add(adapter);
  return adapter;
}

export function isNodeSqlite(database: SqliteDatabase): boolean {
  return adapters.has(database);
}

function adapterOf(database: NodeSqliteDatabase, path: string | null): SqliteDatabase {
  /** With the error of better-sqlite3 for a closed connection. */
  function opened(): NodeSqliteDatabase {
    if (!database.isOpen) throw new TypeError("The database connection is not open");
    return database;
  }

  const prepare = (sql: string): SqliteStatement => adaptStatement(opened().prepare(sql));
  const file = (): unknown => prepare("SELECT file FROM pragma_database_list WHERE name = 'main'").pluck().get();
  return {
    get name() {
      return path ?? String(file());
    },
    get memory() {
      return path === null ? file() === "" : path === ":memory:";
    },
    get inTransaction() {
      return database.isOpen && database.isTransaction;
    },
    prepare,
    exec: (sql) => opened().exec(sql),
    pragma: (source, { simple = false } = {}) => {
      const statement = prepare(`PRAGMA ${source}`);
      return simple ? statement.pluck().get() : statement.all();
    },
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

/** The caller's defaults may be others, so each statement is set. */
function adaptStatement(statement: NodeSqliteStatement): SqliteStatement {
  let isPlucked = false;
  statement.setReturnArrays(false);
  const adapter: SqliteStatement = {
    run: (...values) => ({ changes: Number(statement.run(...values).changes) }),
    get: (...values) => {
      const row = statement.get(...values);
      return isPlucked ? firstColumn(row) : row;
    },
    all: (...values) => {
      const rows = statement.all(...values);
      return isPlucked ? rows.map(firstColumn) : rows;
    },
    iterate: (...values) => {
      const rows = statement.iterate(...values);
      return isPlucked ? pluckAll(rows) : rows;
    },
    raw: (toggle = true) => {
      statement.setReturnArrays(toggle);
      return adapter;
    },
    pluck: (toggle = true) => {
      isPlucked = toggle;
      statement.setReturnArrays(toggle);
      return adapter;
    },
    safeIntegers: (toggle = true) => {
      statement.setReadBigInts(toggle);
      return adapter;
    },
  };
  return adapter;
}

function firstColumn(row: unknown): unknown {
  return Array.isArray(row) ? row[0] : undefined;
}

function* pluckAll(rows: Iterable<unknown>): Iterable<unknown> {
  for (const row of rows) yield firstColumn(row);
}
