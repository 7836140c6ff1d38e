import Database from "better-sqlite3";

/** A database whose tables a test can change by hand. */
export function memoryDatabase(): Database.Database {
  return new Database(":memory:");
}
