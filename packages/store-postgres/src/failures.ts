import { StoreUnavailable } from "@budgetkit/core/store";

/**
 * SQLSTATEs that speak of the moment, not of the statement. https://www.postgresql.org/docs/current/errcodes-appendix.html
 * Class 08: connection; 53: out of disk, memory, connections; 57P: shutdown; 58: the server's system; 25006: read-only;
 * 40: rolled back; 55P03 and 57014: took too long.
 */
const UNAVAILABLE = /^(?:08|40|53|57P|58)|^(?:25006|55P03|57014)$/;

const CONNECTION_LOST = /^(?:08|57P)/;

const ROLLED_BACK = /^(?:40001|40P01)$/;

/** Codes of the operating system, of the socket and of the look-up of the server's name. */
const NETWORK = /^(?:ECONN|EPIPE$|ETIMEDOUT$|EHOST|ENET|ENOENT$|EAI_|ENOTFOUND$|EACCES$|EADDR|EMFILE$)/;

/** What `pg` says, without a code, of connections that are gone. */
const GONE = /^Connection terminated|not queryable|^Client (?:was closed|has encountered)/;

/** What it says of connections and answers that were waited for too long, and of a pool that was closed. */
const GIVEN_UP = /timeout (?:exceeded|expired)|^Query read timeout|^Cannot use a pool after/;

/** The error to throw instead of `error`: {@link StoreUnavailable} where the store cannot serve for now, else itself. */
export function storeFailure(error: unknown): unknown {
  return isUnavailable(error)
    ? new StoreUnavailable(`PostgreSQL cannot serve: ${messageOf(error)}`, { cause: error })
    : error;
}

/** A host with several addresses fails with an error for each, and with no words of its own. */
function messageOf(error: Error): string {
  return error instanceof AggregateError
    ? error.errors.map(({ message }) => String(message)).join(", ")
    : error.message;
}

/** True when PostgreSQL, or the way to it, could not do for now what it was asked for rightly. */
function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return UNAVAILABLE.test(codeOf(error)) || isLost(error) || GIVEN_UP.test(error.message);
}

/** True when the connection was lost, so that nobody knows whether the statement was carried out. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return CONNECTION_LOST.test(code) || NETWORK.test(code) || (code === "" && GONE.test(error.message));
}

/** True when the server has undone the transaction since another one came between: it may be tried again. */
export function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK.test(codeOf(error));
}

/** The SQLSTATE or the code of the operating system; empty for what has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
