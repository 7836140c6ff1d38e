import { StoreUnavailable } from "@budgetkit/core/store";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import type { Connection } from "./connection.js";
import { codeOf } from "./failures.js";
import { keepNothing } from "./kept-values.js";
import { retryWhileLocked } from "./lock-wait.js";
import { lazily, statementsOn } from "./statements.js";

/**
 * The host's database as the ports use it, inside the host's open transaction. Each piece has a savepoint, so that a
 * piece that throws is rolled back alone. `afterPiece` is the last work of each piece.
 *
 * Without an open transaction every call throws: a savepoint would begin one, and its release would commit it.
 */
export function joinTransaction(database: SqliteDatabase, assertOpen: () => void, afterPiece: () => void): Connection {
  const savepoint = lazily(() => database.prepare("SAVEPOINT budgetkit"));
  const release = lazily(() => database.prepare("RELEASE budgetkit"));
  const rollbackToSavepoint = lazily(() => database.prepare("ROLLBACK TO budgetkit"));

  function inSavepoint<T>(piece: () => T): T {
    savepoint().run();
    try {
      const outcome = piece();
      afterPiece();
      release().run();
      return outcome;
    } catch (error) {
      if (!database.inTransaction) throw rolledBack(error);
      rollbackToSavepoint().run();
      release().run();
      throw isStaleSnapshot(error) ? staleSnapshot(error) : error;
    }
  }

  async function inTransaction<T>(work: () => T): Promise<T> {
    assertOpen();
    return retryWhileLocked(() => {
      assertInTransaction(database);
      return work();
    });
  }

  const write = <T>(piece: () => T): Promise<T> => inTransaction(() => inSavepoint(piece));
  return {
    ...statementsOn(database),
    assertOpen,
    read: inTransaction,
    snapshot: inTransaction,
    write,
    writeUnsynced: write,
    keep: keepNothing(database),
  };
}

/** Throws a TypeError unless the host has a transaction open. */
export function assertInTransaction(database: SqliteDatabase): void {
  if (database.inTransaction) return;
  throw new TypeError(
    "connection has no transaction open: BEGIN IMMEDIATE before the first call, and await every call before COMMIT",
  );
}

/** SQLite refuses the writes of a transaction whose first read is older than the latest commit. */
function isStaleSnapshot(error: unknown): boolean {
  return codeOf(error) === "SQLITE_BUSY_SNAPSHOT";
}

function staleSnapshot(cause: unknown): StoreUnavailable {
  const message =
    "another connection has written since the transaction on connection began to read, so SQLite refuses its writes: " +
    "ROLLBACK, and begin with BEGIN IMMEDIATE";
  return new StoreUnavailable(message, { cause });
}

/** SQLite rolls the transaction back after some failures of the disk. */
function rolledBack(cause: unknown): StoreUnavailable {
  return new StoreUnavailable("SQLite has rolled the whole transaction on connection back", { cause });
}
