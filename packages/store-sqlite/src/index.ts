export { openSqliteSource } from "./copy/data-source.js";
export type { SqliteDatabase, SqliteStatement } from "./engine/database.js";
export { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.js";
