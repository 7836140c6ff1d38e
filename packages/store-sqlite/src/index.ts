export { openSqliteSource } from "./copy/data-source.js";
export type { SqliteDatabase, SqliteStatement } from "./engine/database.js";
export { checkIntegrity, type Integrity, type IntegrityCheck } from "./engine/integrity.js";
export { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.js";
