import { StoreUnavailable } from "@budgetkit/core/store";
import type { Connection } from "./connection.js";
import type { SqliteDatabase } from "./database.js";
import { codeOf } from "./failures.js";
import { whenUnlocked } from "./lock-wait.js";
import { lazily, statementsOn } from "./statements.js";

/**
 * The host's database as the ports use it, in the transaction that the host has open there. A piece has a savepoint of
 * its own, so that one which throws leaves nothing behind.
 *
 * Without a transaction a savepoint would begin one, and its release would commit it: so nothing runs without.
 */
export function joinTransaction(database: SqliteDatabase, assertOpen: () => void): Connection {
  const savepoint = lazily(() => database.prepare("SAVEPOINT budgetkit"));
  const release = lazily(() => database.prepare("RELEASE budgetkit"));
  const rollbackToSavepoint = lazily(() => database.prepare("ROLLBACK TO budgetkit"));

  function inSavepoint<T>(piece: () => T): T {
    savepoint().run();
    try {
      const outcome = piece();
      release().run();
      return outcome;
    } catch (error) {
      if (!database.inTransaction) throw rolledBack(error);
      rollbackToSavepoint().run();
      release().run();
      throw hasReadTooEarly(error) ? mustBeginAnew(error) : error;
    }
  }

  async function inTransaction<T>(work: () => T): Promise<T> {
    assertOpen();
    return whenUnlocked(() => {
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
  };
}

/** Throws a TypeError unless the host has a transaction open. */
export function assertInTransaction(database: SqliteDatabase): void {
  if (database.inTransaction) return;
  throw new TypeError(
    "connection has no transaction open: BEGIN IMMEDIATE before the first call, and await every call before COMMIT",
  );
}

/** SQLite lets a transaction that has read before others wrote go on reading, but never write. */
function hasReadTooEarly(error: unknown): boolean {
  return codeOf(error) === "SQLITE_BUSY_SNAPSHOT";
}

function mustBeginAnew(cause: unknown): StoreUnavailable {
  const message =
    "others have written since the transaction on connection began to read, so that SQLite lets it write no more: " +
    "ROLLBACK, and begin with BEGIN IMMEDIATE";
  return new StoreUnavailable(message, { cause });
}

/** SQLite does so for some failures of the disk. */
function rolledBack(cause: unknown): StoreUnavailable {
  return new StoreUnavailable("SQLite has rolled the whole transaction on connection back", { cause });
}
