import { existsSync, statSync } from "node:fs";
import type { SqliteDatabase } from "./database.js";

/** SQLite writes the log back at 4 MiB. It grows beyond while a reader is at an older state, and stays as large. */
const USUAL_BYTES = 16 * 1024 * 1024;

/**
 * Empties a write-ahead log that has grown, once no reader needs it. While one does, what it has seen is written back and
 * the log stays, without a wait for it.
 */
export function truncateLog(database: SqliteDatabase, usualBytes = USUAL_BYTES): void {
  const path = `${database.name}-wal`;
  if (database.memory || database.inTransaction || !existsSync(path) || statSync(path).size <= usualBytes) return;
  database.pragma("wal_checkpoint(TRUNCATE)");
}
