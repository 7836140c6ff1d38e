import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { requireDurability, withoutBusyTimeout } from "./database.js";
import { isDamage, isTransient, storeFailure } from "./failures.js";
import { retryWhileLocked } from "./lock-wait.js";

/** Settles the promise of a piece with its result. Called after the commit only. */
type Acknowledge = () => void;

/**
 * A piece of work inside a transaction. It may run a second time after a rollback, so its result depends only on its
 * input and the rows.
 */
export interface Piece {
  run(): Acknowledge;
  /** True = the commit waits for the disk. False = the commit survives the end of the process, not a loss of power. */
  readonly isSynced: boolean;
}

export type Outcome = PromiseSettledResult<Acknowledge>;

/** A piece whose result is passed to `resolve` after the commit. */
export function pieceOf<T>(work: () => T, isSynced: boolean, resolve: (result: T) => void): Piece {
  const run = (): Acknowledge => {
    const result = work();
    return () => resolve(result);
  };
  return { run, isSynced };
}

interface AroundBatches {
  readonly afterBegin: () => void;
  readonly beforeCommit: () => void;
}

/**
 * Returns a function that runs batches of pieces, one transaction for each batch.
 *
 * A batch that finds the database locked is retried as a whole. `isLockedByHost` is true when a transaction of this
 * process may hold the lock: then SQLite must not wait, because its wait blocks the process and the lock is never
 * released. Nothing is awaited between BEGIN and COMMIT: another user of the connection would join the transaction.
 * `afterBegin` and `beforeCommit` are the first and the last work of each transaction.
 */
export function createBatchRunner(
  database: SqliteDatabase,
  { isLockedByHost, ...around }: AroundBatches & { readonly isLockedByHost: () => boolean },
): (pieces: readonly Piece[]) => Promise<readonly Outcome[]> {
  const commitAll = batchCommitter(database, around);

  function runBatch(pieces: readonly Piece[]): readonly Outcome[] {
    if (database.inTransaction) {
      throw new Error("the database handed to sqliteStore() is in a transaction: end it before awaiting anything else");
    }
    const isSynced = pieces.some((piece) => piece.isSynced);
    return isSynced ? commitAll(pieces) : withoutSync(database, () => commitAll(pieces));
  }

  return (pieces) =>
    retryWhileLocked(() =>
      isLockedByHost() ? withoutBusyTimeout(database, () => runBatch(pieces)) : runBatch(pieces),
    );
}

/**
 * Commits a batch. BEGIN IMMEDIATE takes the write lock at once: a transaction that takes it at its first write fails,
 * without a wait, when another process wrote after its first read.
 *
 * A savepoint costs as much as its piece, since SQLite copies every page that the piece is the first to change. Pieces
 * rarely throw (a stale write is a result, not an error), so the batch first runs without savepoints. When one of
 * several pieces throws, the batch runs again with a savepoint for each.
 *
 * A statement that fires triggers costs as much, unless it says OR FAIL: then SQLite cannot undo it alone, which no piece
 * needs, since one that throws is undone as a whole. On a full disk SQLite then undoes the whole transaction, a host's too.
 */
function batchCommitter(
  database: SqliteDatabase,
  { afterBegin, beforeCommit }: AroundBatches,
): (pieces: readonly Piece[]) => readonly Outcome[] {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const rollback = database.prepare("ROLLBACK");
  const savepoint = database.prepare("SAVEPOINT piece");
  const release = database.prepare("RELEASE piece");
  const rollbackToSavepoint = database.prepare("ROLLBACK TO piece");

  function inTransaction<T>(work: () => T): T {
    try {
      begin.run();
      afterBegin();
      const outcome = work();
      beforeCommit();
      commit.run();
      return outcome;
    } catch (error) {
      if (database.inTransaction) rollback.run();
      throw error;
    }
  }

  function inSavepoint(piece: Piece): Outcome {
    savepoint.run();
    try {
      const value = piece.run();
      release.run();
      return { status: "fulfilled", value };
    } catch (error) {
      if (isTransient(error) || isDamage(error)) throw error; // the database failed, not the piece
      rollbackToSavepoint.run();
      release.run();
      return { status: "rejected", reason: storeFailure(error) };
    }
  }

  return (pieces) => {
    try {
      return inTransaction(() => pieces.map((piece) => ({ status: "fulfilled", value: piece.run() })));
    } catch (error) {
      if (isTransient(error) || isDamage(error) || pieces.length === 1) throw error;
      return inTransaction(() => pieces.map(inSavepoint));
    }
  };
}

/**
 * Runs work whose commit does not wait for the disk: with synchronous=NORMAL, the write-ahead log has it, and the next
 * synced commit takes it to the disk. Afterwards the connection is at FULL again.
 */
function withoutSync<T>(database: SqliteDatabase, work: () => T): T {
  try {
    database.pragma("synchronous = NORMAL");
    return work();
  } finally {
    requireDurability(database);
  }
}
