import { rmSync } from "node:fs";
import type { RateLimitStore } from "@budgetkit/core/store";
import { type Connection, connect } from "./connection.js";
import { enableWriteAheadLog, openDatabase, type SqliteDatabase } from "./database.js";
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
  readonly connection: Connection;
  readonly limits: RateLimitStore;
}

/** The limiter in a file of its own, which the processes that share the database share as well. */
export function limitFile(path: string): LimitFile {
  let file: OpenFile | null = null;

  function opened(): OpenFile {
    file ??= openAll(path);
    return file;
  }

  return {
    open: () => {
      opened();
    },
    admit: async (subject, windows, now) => opened().limits.admit(subject, windows, now),
    pruneWindows: async (now, limit) => opened().limits.pruneWindows(now, limit),
    close: async () => {
      if (file === null) return;
      await file.connection.drain();
      file.database.close();
    },
  };
}

function openAll(path: string): OpenFile {
  const database = openSound(path);
  const connection = connect(database);
  return { database, connection, limits: sqliteRateLimits(connection) };
}

/**
 * No decision waits for the disk, and so a loss of power may damage the file (the end of a process does not). What it
 * holds is worth an hour at most, and must not keep the service from starting: a damaged file is begun anew.
 */
function openSound(path: string): SqliteDatabase {
  const database = openDatabase(path);
  try {
    prepareFile(database);
    return database;
  } catch (error) {
    database.close();
    if (!isDamage(error)) throw error;
  }
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  const fresh = openDatabase(path);
  prepareFile(fresh);
  return fresh;
}

function prepareFile(database: SqliteDatabase): void {
  enableWriteAheadLog(database);
  database.pragma("synchronous = OFF");
  migrate(database, LIMIT_MIGRATIONS);
  const finding = database.pragma("quick_check(1)", { simple: true });
  if (finding !== "ok") throw new DamagedFile(String(finding));
}

class DamagedFile extends Error {}

function isDamage(error: unknown): boolean {
  if (error instanceof DamagedFile) return true;
  return error instanceof Error && "code" in error && /^SQLITE_(?:CORRUPT|NOTADB)/.test(String(error.code));
}
