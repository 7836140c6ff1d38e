import { adaptNodeSqlite, type NodeSqliteDatabase } from "./node-sqlite.js";
import type { SqliteDatabase } from "./sqlite-database.js";

/** A database of either driver, as the store uses it; null = it is none. */
export function callerDatabase(value: unknown): SqliteDatabase | null {
  if (isBetterSqlite3(value)) return value;
  return isNodeSqliteDatabase(value) ? adaptNodeSqlite(value) : null;
}

function isBetterSqlite3(value: unknown): value is SqliteDatabase {
  return hasStatements(value) && "inTransaction" in value && typeof value.inTransaction === "boolean";
}

function isNodeSqliteDatabase(value: unknown): value is NodeSqliteDatabase {
  return hasStatements(value) && "isTransaction" in value && "isOpen" in value && typeof value.isOpen === "boolean";
}

function hasStatements(value: unknown): value is object {
  return typeof value === "object" && value !== null && "prepare" in value && typeof value.prepare === "function";
}
