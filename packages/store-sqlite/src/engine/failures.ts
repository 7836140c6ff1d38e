import { IdTaken, StoreUnavailable } from "@budgetkit/core/store";

/** Result codes of SQLite for temporary failures. https://sqlite.org/rescode.html */
const TRANSIENT = /^SQLITE_(?:FULL|BUSY|LOCKED|IOERR|READONLY|CANTOPEN|PROTOCOL)(?:_|$)/;

/** Codes of the file system for the same failures, when the file or its folder is created. */
const FILE_SYSTEM = /^(?:EACCES|EDQUOT|EIO|EMFILE|ENFILE|ENOSPC|EPERM|EROFS)$/;

/** The messages of better-sqlite3 and of node:sqlite for a closed connection, which has no code of SQLite. */
const CLOSED = /database connection is not open|^statement has been finalized/;

/** Codes for a record whose id exists. */
const ID_TAKEN = /^SQLITE_CONSTRAINT_(?:PRIMARYKEY|ROWID)$/;

/** {@link StoreUnavailable} for a temporary failure, {@link IdTaken} for a duplicate id; any other error unchanged. */
export function storeFailure(error: unknown): unknown {
  if (error instanceof Error && ID_TAKEN.test(codeOf(error))) return new IdTaken(error.message, { cause: error });
  return isTransient(error) ? new StoreUnavailable(`SQLite cannot serve: ${error.message}`, { cause: error }) : error;
}

/** True for a temporary failure of SQLite or the file system. */
export function isTransient(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return TRANSIENT.test(code) || FILE_SYSTEM.test(code) || CLOSED.test(error.message);
}

/** True when SQLite has found the file damaged, or no database at all. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB)(?:_|$)/.test(codeOf(error));
}

/** True for a failure that a full or failing disk caused, itself or as a cause. */
export function isFailedWrite(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /^SQLITE_(?:FULL|IOERR|READONLY)(?:_|$)/.test(codeOf(error)) || isFailedWrite(error.cause);
}

/** True when another connection holds the lock. */
export function isLocked(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)(?:_|$)/.test(codeOf(error));
}

/** The code of an error of SQLite or the file system; empty for other values. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("errcode" in error && typeof error.errcode === "number") return nameOf(error.errcode);
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The result codes that the store tells apart. node:sqlite has their numbers alone, better-sqlite3 their names. */
const NAMES: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  15: "SQLITE_PROTOCOL",
  19: "SQLITE_CONSTRAINT",
  26: "SQLITE_NOTADB",
  517: "SQLITE_BUSY_SNAPSHOT",
  1555: "SQLITE_CONSTRAINT_PRIMARYKEY",
  2579: "SQLITE_CONSTRAINT_ROWID",
};

/** An extended code has the code that it refines in its last eight bits. */
function nameOf(code: number): string {
  return NAMES[code] ?? NAMES[code & 0xff] ?? "SQLITE_ERROR";
}
