/** The members of a better-sqlite3 `Database` that the store uses. Other drivers are adapted to them. */
export interface SqliteDatabase {
  readonly name: string;
  readonly memory: boolean;
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
  exec(sql: string): unknown;
  pragma(source: string, options?: { readonly simple?: boolean }): unknown;
  close(): unknown;
}

export interface SqliteStatement {
  run(...values: unknown[]): { readonly changes: number };
  get(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
  iterate(...values: unknown[]): Iterable<unknown>;
  raw(toggle?: boolean): SqliteStatement;
  pluck(toggle?: boolean): SqliteStatement;
  safeIntegers(toggle?: boolean): SqliteStatement;
}

/** How to open a file. */
export interface OpenOptions {
  readonly readonly?: boolean;
  readonly fileMustExist?: boolean;
  readonly timeout?: number; // ms that a statement blocks the process while another connection holds the lock
}

/** A SQLite library. Two of them must not have one file open in one process: each would drop the locks of the other. */
export interface SqliteDriver {
  readonly name: "better-sqlite3" | "node:sqlite";
  readonly version: string; // of better-sqlite3, or of the Node that has node:sqlite
  open(path: string, options: OpenOptions): SqliteDatabase;
}
