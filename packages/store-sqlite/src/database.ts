import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { codeOf, storeFailure } from "./failures.js";
import { insist } from "./lock-wait.js";

/** The members of a better-sqlite3 `Database` that the store uses: hand in your own, or anything that behaves alike. */
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
  raw(toggle?: boolean): SqliteStatement;
  pluck(toggle?: boolean): SqliteStatement;
  safeIntegers(toggle?: boolean): SqliteStatement;
}

/** How long a statement keeps the process waiting for a lock that another connection holds, before it is put off. */
const BUSY_TIMEOUT_MS = 20;

/** Only the owner of the process may read what is stored. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Opens the database of a path, with its folder and file made where they are missing. */
export function openDatabase(path: string): SqliteDatabase {
  try {
    if (path !== ":memory:") createFile(path);
    return new BetterSqlite3(path, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw storeFailure(error);
  }
}

/**
 * SQLite itself would create the file readable by all; its -wal and -shm files take the mode of this one. A file that
 * exists is not touched: closing a second descriptor of it would drop the locks that this process holds on it.
 */
function createFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  try {
    closeSync(openSync(path, "wx", FILE_MODE));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/**
 * Makes every commit wait for the disk, and checks that it will: better-sqlite3 is built with NORMAL for WAL, under
 * which a loss of power undoes commits that were already acknowledged.
 */
export function requireDurability(database: SqliteDatabase): void {
  const level = insist(() => {
    database.pragma("synchronous = FULL");
    return database.pragma("synchronous", { simple: true });
  });
  if (Number(level) !== SYNCHRONOUS_FULL) {
    throw new Error(`SQLite refused synchronous=FULL: it is at ${String(level)}, so commits would not be durable`);
  }
}

const SYNCHRONOUS_FULL = 2;

/**
 * Turns the write-ahead log on, so that readers and the writer do not wait for each other. Of several processes that
 * do so at once on a new file SQLite answers some with "locked" at once, the busy timeout notwithstanding.
 */
export function enableWriteAheadLog(database: SqliteDatabase): void {
  if (database.memory) return;
  const mode = insist(() => database.pragma("journal_mode = WAL", { simple: true }));
  if (mode !== "wal") throw new Error(`SQLite refused the write-ahead log: journal_mode is ${String(mode)}`);
}
