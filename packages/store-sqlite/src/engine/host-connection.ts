import { StoreUnavailable } from "@budgetkit/core/store";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import type { Connection } from "./connection.js";
import { codeOf } from "./failures.js";
import { retryWhileLocked } from "./lock-wait.js";
import { noteWrites } from "./noted-writes.js";
import { lazily, statementsOn } from "./statements.js";

interface HostRules {
  /** Throws when the store is closed. */
  assertOpen(): void;
  /** See {@link newerSchemaRefuser}: it comes before each write, and explains a read that fails. */
  refuseNewer(): void;
  /** The last work of each piece. */
  afterPiece(): void;
}

/**
 * The host's database as the ports use it, inside the host's open transaction. Each piece has a savepoint, so that a
 * piece that throws is rolled back alone.
 *
 * Without an open transaction every call throws: a savepoint would begin one, and its release would commit it.
 */
export function joinTransaction(
  database: SqliteDatabase,
  { assertOpen, refuseNewer, afterPiece }: HostRules,
): Connection {
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

  function explained<T>(query: () => T): T {
    try {
      return query();
    } catch (error) {
      refuseNewer();
      throw error;
    }
  }

  const read = <T>(query: () => T): Promise<T> => inTransaction(() => explained(query));
  const write = <T>(piece: () => T): Promise<T> =>
    inTransaction(() => {
      refuseNewer();
      return inSavepoint(piece);
    });
  return {
    ...statementsOn(database),
    assertOpen,
    read,
    snapshot: read,
    write,
    writeUnsynced: write,
    noteWrites: (writes) => noteWrites(database, writes),
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
