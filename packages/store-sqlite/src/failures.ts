import { StoreUnavailable } from "@budgetkit/core/store";

/** Primary result codes of SQLite that speak of the moment, not of the statement. https://sqlite.org/rescode.html */
const TRANSIENT = /^SQLITE_(?:FULL|BUSY|LOCKED|IOERR|READONLY|CANTOPEN|PROTOCOL)(?:_|$)/;

/** Codes of the file system that stand for the same when the file or its folder is made. */
const FILE_SYSTEM = /^(?:EACCES|EDQUOT|EIO|EMFILE|ENFILE|ENOSPC|EPERM|EROFS)$/;

/** What better-sqlite3 says, without a code, of a connection that was closed. */
const CLOSED = /database connection is not open/;

/** The error to throw instead of `error`: {@link StoreUnavailable} where the store cannot serve for now, else itself. */
export function storeFailure(error: unknown): unknown {
  return isTransient(error) ? new StoreUnavailable(`SQLite cannot serve: ${error.message}`, { cause: error }) : error;
}

/** True when SQLite, or the file system, could not do for now what it was asked for rightly. */
export function isTransient(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return TRANSIENT.test(code) || FILE_SYSTEM.test(code) || CLOSED.test(error.message);
}

/** True when another connection has the lock that was asked for. */
export function isLocked(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)(?:_|$)/.test(codeOf(error));
}

/** The code of an error of SQLite or of the file system; empty for what has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
