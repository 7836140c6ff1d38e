import type { HostConnection } from "@budgetkit/core/store";
import type { ClientBase } from "pg";
import { codeOf } from "./failures.js";
import { type Session, sessionOn } from "./session.js";

/** The last call on each client: the driver takes one statement at a time. */
const turns = new WeakMap<ClientBase, Promise<unknown>>();

/**
 * Works on a client of the host, one work after the other. Refuses to work outside of a transaction, where each statement
 * would be committed at once.
 */
export function inTurn<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(client) ?? Promise.resolve()).then(() => {
    assertInTransaction(client);
    return work().catch(refuseOtherDatabase);
  });
  turns.set(
    client,
    turn.catch(() => {}),
  );
  return turn;
}

export function hostSession(client: ClientBase): Session {
  const session = sessionOn(client);
  return { run: (statement, values) => inTurn(client, () => session.run(statement, values)) };
}

/** Throws a TypeError when `connection` is no client. */
export function clientIn(connection: HostConnection): ClientBase {
  if (isPipelined(connection)) throw new TypeError("connection must be a Client without the option pipeline");
  if (isClient(connection)) return connection;
  throw new TypeError(
    "connection must be a Client of pg 8.21 or later on which a transaction is open: take one from the pool by " +
      'pool.connect(), await client.query("BEGIN"), and pass the client',
  );
}

/** The driver refuses the statements of a commit on such a client. */
export function isPipelined(client: object): boolean {
  return "pipeline" in client && client.pipeline === true;
}

function isClient(connection: HostConnection): connection is ClientBase {
  return (
    "query" in connection &&
    typeof connection.query === "function" &&
    "getTransactionStatus" in connection &&
    typeof connection.getTransactionStatus === "function"
  );
}

const IN_TRANSACTION = "T";
const IN_FAILED_TRANSACTION = "E";

function assertInTransaction(client: ClientBase): void {
  const status = client.getTransactionStatus();
  if (status === IN_TRANSACTION) return;
  throw new TypeError(
    status === IN_FAILED_TRANSACTION
      ? "the transaction on connection has failed: ROLLBACK, and begin another"
      : "connection has no transaction open: await BEGIN before the first call, and every call before COMMIT",
  );
}

/** SQLSTATEs for a schema, function or table that does not exist. */
const UNKNOWN_NAME = /^(?:3F000|42883|42P01)$/;

const NO_TRANSACTION = "25P01";

function refuseOtherDatabase(cause: unknown): never {
  if (codeOf(cause) === NO_TRANSACTION) throw new TypeError("the transaction on connection has ended", { cause });
  if (!UNKNOWN_NAME.test(codeOf(cause))) throw cause;
  throw new TypeError("connection leads to another database than that of the store, or the schema is missing", {
    cause,
  });
}
