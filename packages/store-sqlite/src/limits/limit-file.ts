import { existsSync, rmSync, statSync } from "node:fs";
import { createMemoryRateLimitStore, type RateLimitStore } from "@budgetkit/core/store";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { connect, type OwnConnection } from "../engine/connection.js";
import { enableWriteAheadLog, enlargeCache, openDatabase } from "../engine/database.js";
import { isDamage, isFailedWrite } from "../engine/failures.js";
import { grouped } from "../engine/grouped.js";
import { retryAtStart } from "../engine/lock-wait.js";
import { migrate } from "../engine/migrations.js";
import { newerSchemaRefuser } from "../engine/newer-schema.js";
import { createWriteProbe } from "../engine/outage.js";
import { LIMIT_MIGRATIONS } from "../schema.js";
import { machineUptime } from "./file-time.js";
import { sqliteRateLimits } from "./rate-limits.js";

/** A rate limiter with a file to open and close. */
export interface LimitFile extends RateLimitStore {
  /** Opens the file and migrates it. Without this call the first decision does. */
  open(): void;
  /** Rejects when the file cannot be written. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

interface OpenFile {
  readonly database: SqliteDatabase;
  readonly connection: OwnConnection;
  readonly limits: RateLimitStore;
  readonly probe: () => Promise<void>;
}

/**
 * The limiter in its own file, `path`, shared by the processes that share `database`.
 *
 * No decision waits for the disk, so a loss of power may damage the file; the end of a process does not. The windows
 * last an hour at most and must not stop the service: a damaged file is replaced by an empty one, at the start or when a
 * decision meets the damage.
 */
export function limitFile(path: string, database: SqliteDatabase, uptime = machineUptime): LimitFile {
  const inMemory = createMemoryRateLimitStore();
  let file: OpenFile | null = null;

  function use(file: SqliteDatabase): OpenFile {
    const connection = grouped(connect(file, undefined, undefined, newerSchemaRefuser(file, LIMIT_MIGRATIONS)));
    const limits = sqliteRateLimits(connection, uptime);
    return { database: file, connection, limits, probe: createWriteProbe(connection) };
  }

  function opened(): OpenFile {
    file ??= use(openIntact(path) ?? underLock(database, () => openIntact(path) ?? replaceFile(path)));
    return file;
  }

  /** Repeats a call once after it has met damage, on a file that was checked or replaced. */
  async function onIntactFile<T>(call: (file: OpenFile) => Promise<T>): Promise<T> {
    const used = opened();
    try {
      return await call(used);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    if (file === used) {
      used.database.close();
      file = use(underLock(database, () => openIntact(path, true) ?? replaceFile(path)));
    }
    return call(opened());
  }

  /** A file that cannot be written must not refuse requests: each process then counts its own in memory. */
  async function decide<T>(call: (limits: RateLimitStore) => Promise<T>): Promise<T> {
    try {
      return await onIntactFile(({ limits }) => call(limits));
    } catch (error) {
      if (!isFailedWrite(error)) throw error;
      return call(inMemory);
    }
  }

  return {
    open: () => {
      opened();
    },
    probe: () => onIntactFile(({ probe }) => probe()),
    consume: (subject, windows, now) => decide((limits) => limits.consume(subject, windows, now)),
    countConsumed: (subject, lengthMs, now) => decide((limits) => limits.countConsumed(subject, lengthMs, now)),
    pruneWindows: async (now, limit) => {
      const forgotten = await inMemory.pruneWindows(now, limit);
      return forgotten + (await onIntactFile(({ limits }) => limits.pruneWindows(now, limit)));
    },
    close: async () => {
      if (file === null) return;
      await file.connection.drain();
      file.database.close();
    },
  };
}

/** Runs `work` under the write lock of the database, so that only one process replaces a damaged file. */
function underLock<T>(database: SqliteDatabase, work: () => T): T {
  retryAtStart(() => database.exec("BEGIN IMMEDIATE"));
  try {
    return work();
  } finally {
    database.exec("COMMIT");
  }
}

/** A larger file is not checked at the start: reading it takes longer than a start may. */
const MAX_CHECKED_BYTES = 16 * 1024 * 1024;

/** True when the file was not closed, or is in use, and a check takes a moment only. */
function isCheckedAtStart(path: string): boolean {
  return existsSync(`${path}-wal`) && existsSync(path) && statSync(path).size <= MAX_CHECKED_BYTES;
}

/** The open file, migrated; null = it is damaged. */
function openIntact(path: string, isChecked = isCheckedAtStart(path)): SqliteDatabase | null {
  const database = openDatabase(path);
  try {
    enableWriteAheadLog(database);
    enlargeCache(database);
    retryAtStart(() => database.pragma("synchronous = OFF"));
    migrate(database, LIMIT_MIGRATIONS);
    if (!isChecked) return database;
    if (retryAtStart(() => database.pragma("quick_check(1)", { simple: true })) === "ok") return database;
  } catch (error) {
    database.close();
    if (!isDamage(error)) throw error;
  }
  database.close();
  return null;
}

function replaceFile(path: string): SqliteDatabase {
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  const database = openIntact(path);
  if (database === null) throw new Error(`${path} is damaged, and so is its replacement`);
  return database;
}
