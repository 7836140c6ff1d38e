import { rmSync } from "node:fs";
import type { RateLimitStore } from "@budgetkit/core/store";
import { connect, type OwnConnection } from "./connection.js";
import { enableWriteAheadLog, openDatabase, type SqliteDatabase } from "./database.js";
import { codeOf } from "./failures.js";
import { insist } from "./lock-wait.js";
import { migrate } from "./migrations.js";
import { sqliteRateLimits } from "./rate-limits.js";
import { LIMIT_MIGRATIONS } from "./schema.js";

/** A limiter that holds something open. */
export interface LimitFile extends RateLimitStore {
  /** Opens the file and brings its schema up to date; the first decision does so otherwise. */
  open(): void;
  close(): Promise<void>;
}

interface OpenFile {
  readonly database: SqliteDatabase;
  readonly connection: OwnConnection;
  readonly limits: RateLimitStore;
}

/**
 * The limiter in a file of its own, `path`, which the processes that share `database` share as well.
 *
 * No decision waits for the disk, and so a loss of power may damage the file (the end of a process does not). What it
 * holds is worth an hour at most, and must not keep the service from starting: a damaged file is begun anew.
 */
export function limitFile(path: string, database: SqliteDatabase): LimitFile {
  let file: OpenFile | null = null;

  function opened(): OpenFile {
    file ??= use(openSound(path) ?? exclusively(database, () => openSound(path) ?? beginAnew(path)));
    return file;
  }

  return {
    open: () => {
      opened();
    },
    admit: async (subject, windows, now) => opened().limits.admit(subject, windows, now),
    countAdmitted: async (subject, lengthMs, now) => opened().limits.countAdmitted(subject, lengthMs, now),
    pruneWindows: async (now, limit) => opened().limits.pruneWindows(now, limit),
    close: async () => {
      if (file === null) return;
      await file.connection.drain();
      file.database.close();
    },
  };
}

function use(database: SqliteDatabase): OpenFile {
  const connection = connect(database);
  return { database, connection, limits: sqliteRateLimits(connection) };
}

/** Under the write lock of the shared database, so that of many starters one begins anew and the others find that. */
function exclusively<T>(database: SqliteDatabase, work: () => T): T {
  insist(() => database.exec("BEGIN IMMEDIATE"));
  try {
    return work();
  } finally {
    database.exec("COMMIT");
  }
}

/** The file, ready for use; null when it is damaged. */
function openSound(path: string): SqliteDatabase | null {
  const database = openDatabase(path);
  try {
    enableWriteAheadLog(database);
    insist(() => database.pragma("synchronous = OFF"));
    migrate(database, LIMIT_MIGRATIONS);
    if (insist(() => database.pragma("quick_check(1)", { simple: true })) === "ok") return database;
  } catch (error) {
    database.close();
    if (!/^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error))) throw error;
  }
  database.close();
  return null;
}

function beginAnew(path: string): SqliteDatabase {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  const database = openSound(path);
  if (database === null) throw new Error(`${path} is damaged, and so is what was put in its place`);
  return database;
}
