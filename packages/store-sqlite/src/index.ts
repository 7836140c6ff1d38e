export { openSqliteSource } from "./copy/data-source.js";
export { driverInUse } from "./driver/choose-driver.js";
export type { NodeSqliteDatabase, NodeSqliteStatement } from "./driver/node-sqlite.js";
export type { SqliteDatabase, SqliteStatement } from "./driver/sqlite-database.js";
export { checkIntegrity, type Integrity, type IntegrityCheck } from "./engine/integrity.js";
export { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.js";
