import { readFileSync, writeFileSync } from "node:fs";
import { adaptNodeSqlite, type NodeSqlite } from "../driver/node-sqlite.js";
import type { OpenOptions, SqliteDatabase, SqliteStatement } from "../driver/sqlite-database.js";
import { inMemoryFolder } from "./temporary-folder.js";

// What tests import as better-sqlite3 in a run with TEST_SQLITE_DRIVER=node:sqlite (vitest.config.ts). A process may have
// one SQLite library at a time on a file, so the connections of the tests have to be of the driver of the store.

interface StandInOptions extends OpenOptions {
  readonly verbose?: (sql: string) => void;
}

const { DatabaseSync } = process.getBuiltinModule("node:sqlite") as unknown as NodeSqlite;

// biome-ignore lint/style/noDefaultExport: as better-sqlite3 has one
export default class StandIn {
  static readonly SqliteError = class extends Error {
    readonly code: string;

    constructor(message: string, code: string) {
      super(message);
      this.code = code;
    }
  };

  /** Returns the adapter itself with the further members of a `Database` that tests use: the store knows its adapters. */
  constructor(source: string | Buffer = ":memory:", options: StandInOptions = {}) {
    const { readonly: readOnly = false, timeout = 5_000, verbose } = options;
    const folder = typeof source === "string" ? null : inMemoryFolder();
    const path = typeof source === "string" ? source : (folder?.file("image") ?? "");
    if (typeof source !== "string") writeFileSync(path, source);
    const adapter = adaptNodeSqlite(new DatabaseSync(path, { readOnly, timeout }), path);
    const { prepare, exec, close } = adapter;
    if (folder !== null) Object.defineProperty(adapter, "memory", { value: true });
    const further = {
      prepare: (sql: string) => (verbose === undefined ? prepare(sql) : reporting(prepare(sql), () => verbose(sql))),
      exec: (sql: string) => {
        exec(sql);
        return adapter;
      },
      close: () => {
        close();
        folder?.remove();
        return adapter;
      },
      defaultSafeIntegers: () => adapter,
      serialize: () => serialize(adapter),
      transaction: (work: () => void) => ({ immediate: () => inTransaction(adapter, work) }),
    };
    // biome-ignore lint/correctness/noConstructorReturn: tests call it with `new`, as they do better-sqlite3
    return Object.assign(adapter, further);
  }
}

function reporting(statement: SqliteStatement, report: () => void): SqliteStatement {
  const { run, get, all } = statement;
  const reported =
    <T>(call: (...values: unknown[]) => T) =>
    (...values: unknown[]): T => {
      report();
      return call(...values);
    };
  return Object.assign(statement, { run: reported(run), get: reported(get), all: reported(all) });
}

function serialize(database: SqliteDatabase): Buffer {
  const folder = inMemoryFolder();
  database.prepare("VACUUM INTO ?").run(folder.file("image"));
  const image = readFileSync(folder.file("image"));
  folder.remove();
  return image;
}

function inTransaction(database: SqliteDatabase, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } finally {
    if (database.inTransaction) database.exec("ROLLBACK");
  }
}
