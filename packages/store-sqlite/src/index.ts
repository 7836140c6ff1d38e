export { openSqliteSource } from "./data-source.js";
export type { SqliteDatabase, SqliteStatement } from "./database.js";
export { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.js";
