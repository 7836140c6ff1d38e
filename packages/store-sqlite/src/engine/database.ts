import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { sqliteDriver } from "../driver/choose-driver.js";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { codeOf, storeFailure } from "./failures.js";
import { retryAtStart } from "./lock-wait.js";

/** How long a statement blocks the process while another connection holds the lock. Then the store retries. */
const BUSY_TIMEOUT_MS = 20;

/** Only the user of the process may read the data. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Opens the database at `path`; creates its folder and file when they are missing. */
export function openDatabase(path: string): SqliteDatabase {
  try {
    if (path !== ":memory:") createFile(path);
    return sqliteDriver().open(path, { timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw storeFailure(error);
  }
}

/**
 * SQLite would create the file readable by all; its -wal and -shm files copy the mode of the file. An existing file is
 * not opened here: closing a second descriptor would drop the locks that this process holds on it.
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
 * Makes every commit wait for the disk, and checks the setting. The default of better-sqlite3 for WAL is NORMAL: a loss
 * of power would undo acknowledged commits.
 */
export function requireDurability(database: SqliteDatabase): void {
  const level = retryAtStart(() => {
    database.pragma("synchronous = FULL");
    return database.pragma("synchronous", { simple: true });
  });
  if (Number(level) !== SYNCHRONOUS_FULL) {
    throw new Error(`SQLite refused synchronous=FULL: it is at ${String(level)}, so commits would not be durable`);
  }
}

const SYNCHRONOUS_FULL = 2;

/**
 * Turns the write-ahead log on, so that readers and the writer do not block each other. When several processes do so at
 * the same time on a new file, SQLite reports a lock to some of them at once, despite the busy timeout.
 */
export function enableWriteAheadLog(database: SqliteDatabase): void {
  if (database.memory) return;
  const mode = retryAtStart(() => database.pragma("journal_mode = WAL", { simple: true }));
  if (mode !== "wal") throw new Error(`SQLite refused the write-ahead log: journal_mode is ${String(mode)}`);
}

/** The cache of a connection with better-sqlite3; that of node:sqlite has SQLite's own default, an eighth of it. */
const CACHE_KIB = 16_000;

/** Gives a connection of the store the same cache with either driver. */
export function enlargeCache(database: SqliteDatabase): void {
  retryAtStart(() => database.pragma(`cache_size = -${CACHE_KIB}`));
}

/**
 * Throws an Error when this process may only read the file. SQLite opens such a file without a complaint, and only writes
 * fail. Other failures of the write may pass, so they do not stop a start; nor is a lock waited for, which a transaction of
 * this process may hold.
 */
export function requireWritable(database: SqliteDatabase): void {
  try {
    withoutBusyTimeout(database, () => writeNothing(database));
  } catch (error) {
    if (!codeOf(error).startsWith("SQLITE_READONLY")) return;
    const message = `${database.name} cannot be written: give the file and its folder to the user of this process`;
    throw new Error(message, { cause: error });
  }
}

function writeNothing(database: SqliteDatabase): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    database.exec("DELETE FROM budgetkit_migrations WHERE version = 0"); // no such row: BEGIN may succeed without a right
  } finally {
    database.exec("ROLLBACK");
  }
}

/** Runs work that finds a lock at once where another connection holds it. SQLite's own wait blocks the process. */
export function withoutBusyTimeout<T>(database: SqliteDatabase, work: () => T): T {
  const timeout = Number(database.pragma("busy_timeout", { simple: true }));
  database.pragma("busy_timeout = 0");
  try {
    return work();
  } finally {
    database.pragma(`busy_timeout = ${timeout}`);
  }
}

/** SQLite writes the log back at 4 MiB. It grows beyond while a reader is at an older state, and stays as large. */
const USUAL_BYTES = 16 * 1024 * 1024;

/**
 * Empties a write-ahead log that has grown, once no reader needs it. While one does, what it has seen is written back and
 * the log stays, without a wait for it.
 */
export function truncateLog(database: SqliteDatabase): void {
  const path = `${database.name}-wal`;
  if (database.memory || database.inTransaction || !existsSync(path) || statSync(path).size <= USUAL_BYTES) return;
  database.pragma("wal_checkpoint(TRUNCATE)");
}
