import Database from "better-sqlite3";

/** A database whose tables a test can change by hand; with the `contents` of another one that was serialized. */
export function memoryDatabase(contents?: Buffer): Database.Database {
  return contents === undefined ? new Database(":memory:") : new Database(contents);
}
