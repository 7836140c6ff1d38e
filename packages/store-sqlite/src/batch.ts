import { requireDurability, type SqliteDatabase } from "./database.js";
import { isTransient } from "./failures.js";
import { whenUnlocked } from "./lock-wait.js";

/** Tells whoever waits for a piece of its outcome. To be called after the commit only. */
export type Acknowledge = () => void;

/**
 * A piece of work inside a transaction: it changes rows and says whom to tell once they are safe. It may run a second
 * time after what it did was undone, so it must depend on nothing but its input and the rows.
 */
export interface Piece {
  run(): Acknowledge;
  /** Whether the commit waits for the disk. Else it survives the death of the process, and a loss of power may undo it. */
  readonly isSynced: boolean;
}

/**
 * Runs batches of pieces, one transaction each. IMMEDIATE takes the write lock at once: a transaction that only asks
 * for it at its first write is refused, without waiting, when another process has written since its first read.
 *
 * A savepoint makes SQLite copy every page that its piece is the first to touch, which costs as much as the piece. Since
 * pieces hardly ever throw (a stale write is an outcome, and has written nothing), they run without savepoints first;
 * when one of several throws, the batch starts over with a savepoint each.
 *
 * A batch of nothing but pieces that are not synced is committed under synchronous=NORMAL: the write-ahead log has it, and
 * the next commit that is synced takes it to the disk. Outside of such a batch the connection is at FULL.
 *
 * A batch that finds the write lock taken is tried again as a whole. Where `isLockedWithin` says that this very process
 * may hold it, the busy timeout is left out: while SQLite waits, nobody here could let go. From BEGIN to COMMIT nothing is awaited: whoever
 * else uses the connection would end up in the transaction.
 */
export function createBatchRunner(
  database: SqliteDatabase,
  isLockedWithin: () => boolean,
): (pieces: readonly Piece[]) => Promise<readonly PromiseSettledResult<Acknowledge>[]> {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const rollback = database.prepare("ROLLBACK");
  const savepoint = database.prepare("SAVEPOINT piece");
  const release = database.prepare("RELEASE piece");
  const rollbackToSavepoint = database.prepare("ROLLBACK TO piece");

  let isRelaxed = false;

  function relax(): void {
    isRelaxed = true;
    database.pragma("synchronous = NORMAL");
  }

  function restore(): void {
    if (!isRelaxed) return;
    requireDurability(database);
    isRelaxed = false;
  }

  function inTransaction<T>(work: () => T): T {
    try {
      begin.run();
      const outcome = work();
      commit.run();
      return outcome;
    } catch (error) {
      if (database.inTransaction) rollback.run();
      throw error;
    }
  }

  function inSavepoint(piece: Piece): PromiseSettledResult<Acknowledge> {
    savepoint.run();
    try {
      const value = piece.run();
      release.run();
      return { status: "fulfilled", value };
    } catch (error) {
      if (isTransient(error)) throw error; // it is not the fault of the piece
      rollbackToSavepoint.run();
      release.run();
      return { status: "rejected", reason: error };
    }
  }

  function runBatch(pieces: readonly Piece[]): readonly PromiseSettledResult<Acknowledge>[] {
    if (database.inTransaction) {
      throw new Error("the database handed to sqliteStore() is in a transaction: end it before awaiting anything else");
    }
    if (pieces.some(({ isSynced }) => isSynced)) return commitAll(pieces);
    try {
      relax();
      return commitAll(pieces);
    } finally {
      restore();
    }
  }

  function commitAll(pieces: readonly Piece[]): readonly PromiseSettledResult<Acknowledge>[] {
    try {
      return inTransaction(() => pieces.map(runBare));
    } catch (error) {
      if (isTransient(error) || pieces.length === 1) throw error;
      return inTransaction(() => pieces.map(inSavepoint));
    }
  }

  function runWithoutWaiting(pieces: readonly Piece[]): readonly PromiseSettledResult<Acknowledge>[] {
    const timeout = Number(database.pragma("busy_timeout", { simple: true }));
    database.pragma("busy_timeout = 0");
    try {
      return runBatch(pieces);
    } finally {
      database.pragma(`busy_timeout = ${timeout}`);
    }
  }

  return (pieces) => whenUnlocked(() => (isLockedWithin() ? runWithoutWaiting(pieces) : runBatch(pieces)));
}

function runBare(piece: Piece): PromiseSettledResult<Acknowledge> {
  return { status: "fulfilled", value: piece.run() };
}
