import { IdTaken, StoreUnavailable } from "@budgetkit/core/store";

/**
 * SQLSTATEs of conditions that pass. https://www.postgresql.org/docs/current/errcodes-appendix.html
 * Class 08: connection; 53: out of disk, memory, connections; 57P: shutdown; 58: the server's system; 25006: read-only;
 * 25P03: the process was silent in a transaction; 40: rolled back; 55P03 and 57014: took too long; 0A000: a standby has no unlogged tables.
 */
const UNAVAILABLE = /^(?:08|40|53|57P|58)|^(?:0A000|25006|25P03|55P03|57014)$/;

const CONNECTION_LOST = /^(?:08|57P|25P03)/;

const ROLLED_BACK = /^(?:40001|40P01)$/;

/** Codes of the operating system, of sockets and of name resolution. */
const NETWORK = /^(?:ECONN|EPIPE$|ETIMEDOUT$|EHOST|ENET|ENOENT$|EAI_|ENOTFOUND$|EACCES$|EADDR|EMFILE$)/;

/** Messages of `pg`, without a code, for lost connections. */
const GONE = /^Connection terminated|not queryable|^Client (?:was closed|has encountered)/;

/** Of Citus, with the code of an internal error: the coordinator was killed, or a worker at the COMMIT. */
const NODE_LOST = /^postmaster was shut down|^could not commit transaction for shard \d+ on at least one active node/;

/** Messages of `pg` for timeouts and for a closed pool. */
const GIVEN_UP = /timeout (?:exceeded|expired)|^Query read timeout|^Cannot use a pool after/;

/** Functions catch the duplicates that callers may expect. What is left is an id that was drawn before. */
const DUPLICATE = "23505";

/** Fields of the driver's errors in which PostgreSQL repeats values of rows and parameters. Hosts may log them. */
const WITH_VALUES = ["detail", "where"];

/**
 * The error to throw instead of `error`: {@link StoreUnavailable} where the store cannot serve for now, {@link IdTaken} for a
 * duplicate, else itself.
 */
export function storeFailure(error: unknown): unknown {
  if (error instanceof Error) for (const field of WITH_VALUES) Reflect.deleteProperty(error, field);
  if (error instanceof Error && codeOf(error) === DUPLICATE) return new IdTaken(error.message, { cause: error });
  return isUnavailable(error)
    ? new StoreUnavailable(`PostgreSQL cannot serve: ${messageOf(error)}`, { cause: error })
    : error;
}

/** The store cannot serve, and no COMMIT was sent: the work can run again in another transaction. */
export class NotCommitted extends StoreUnavailable {}

/** A host with several addresses fails with an error for each address, and an empty message. */
function messageOf(error: Error): string {
  return error instanceof AggregateError
    ? error.errors.map(({ message }) => String(message)).join(", ")
    : error.message;
}

/** True when PostgreSQL or the network cannot serve for now. */
function isUnavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return UNAVAILABLE.test(codeOf(error)) || isLost(error) || GIVEN_UP.test(error.message);
}

/** True when the connection was lost, so that it is unknown whether the statement was executed. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    CONNECTION_LOST.test(code) ||
    NETWORK.test(code) ||
    (code === "" && GONE.test(error.message)) ||
    NODE_LOST.test(error.message)
  );
}

/** True when the server has rolled the transaction back because of another one: it may be retried. */
export function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK.test(codeOf(error));
}

/** The SQLSTATE or the code of the operating system; empty = no code. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
