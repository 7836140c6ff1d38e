import { StoreUnavailable, type Write } from "@budgetkit/core/store";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { createBatchRunner, type Outcome, type Piece, pieceOf } from "./batch.js";
import { type Listener, noteWrites, onWrites } from "./noted-writes.js";
import { sharedReads } from "./shared-reads.js";
import { lazily, type Statements, statementsOn } from "./statements.js";

export type { SqlValue } from "./statements.js";

/** A connection as the ports use it. */
export interface Connection extends Statements {
  /** Throws StoreUnavailable when the store is closed. */
  assertOpen(): void;
  /** Runs `query`, in one snapshot with those asked for together. Throws StoreUnavailable when SQLite cannot serve. */
  read<T>(query: () => T): Promise<T>;
  /** Runs a query of several statements on one snapshot. */
  snapshot<T>(query: () => T): Promise<T>;
  /**
   * Runs `piece` in a transaction, which it may share with other pieces, and resolves once that is committed. On a host's
   * connection it resolves once the piece is part of the host's transaction. A piece that throws is rolled back alone.
   */
  write<T>(piece: () => T): Promise<T>;
  /**
   * Like `write`, but the commit does not wait for the disk unless another piece of the transaction does. For work that
   * may be repeated after a loss of power. The commit survives the end of the process.
   */
  writeUnsynced<T>(piece: () => T): Promise<T>;
  /** A commit passes its writes here in its transaction, before it applies them. */
  noteWrites(writes: readonly Write[]): void;
}

/** The store's own connection: each write is a transaction. */
export interface OwnConnection extends Connection {
  /** Runs the pieces in one transaction. See {@link createBatchRunner}. */
  writeTogether(pieces: readonly Piece[]): Promise<readonly Outcome[]>;
  /**
   * Inside a read: the version of the state that it reads, which changes with each commit of another connection, and not
   * with those of this one. Null = the read is part of a transaction of the connection's owner.
   */
  version(): number | null;
  /** Calls `listener` with all writes on this connection, also of other stores and of hosts, until it is drained. */
  onWrites(listener: Listener): void;
  /** Refuses later reads and writes, and resolves once the writes have ended. */
  drain(): Promise<void>;
}

/** For `isLockedByHost` and `beforeCommit` see {@link createBatchRunner}, for `refuseNewer` {@link newerSchemaRefuser}. */
export function connect(
  database: SqliteDatabase,
  isLockedByHost: () => boolean = () => false,
  beforeCommit: () => void = () => {},
  refuseNewer: () => void = () => {},
): OwnConnection {
  const run = createBatchRunner(database, { isLockedByHost, afterBegin: refuseNewer, beforeCommit });
  const reads = sharedReads(database, assertOpen);
  const dataVersion = lazily(() => database.prepare("PRAGMA data_version").safeIntegers(false).pluck());
  const running = new Set<Promise<unknown>>();
  const forgetListeners: (() => void)[] = [];
  let closed = false;

  function assertOpen(): void {
    if (closed) throw new StoreUnavailable("the store was closed");
  }

  function alone<T>(work: () => T, isSynced: boolean): Promise<T> {
    const written = new Promise<T>((resolve, reject) => {
      assertOpen();
      run([pieceOf(work, isSynced, resolve)]).then(([outcome]) => {
        if (outcome?.status === "fulfilled") outcome.value();
        else reject(outcome?.reason);
      }, reject);
    });
    const end = () => void running.delete(written);
    running.add(written);
    written.then(end, end);
    return written;
  }

  /** A read that fails may do so because a newer release has changed the tables. */
  function explained<T>(query: () => T): T {
    try {
      return query();
    } catch (error) {
      refuseNewer();
      throw error;
    }
  }

  return {
    ...statementsOn(database),
    assertOpen,
    read: (query) => reads.read(() => explained(query)),
    snapshot: (query) => reads.read(() => explained(() => reads.inSnapshot(query))),
    write: (piece) => alone(piece, true),
    writeUnsynced: (piece) => alone(piece, false),
    writeTogether: run,
    noteWrites: (writes) => noteWrites(database, writes),
    version: reads.memoizedBySnapshot(() => Number(dataVersion().get())),
    onWrites: (listener) => void forgetListeners.push(onWrites(database, listener)),
    drain: async () => {
      closed = true;
      for (const forget of forgetListeners) forget();
      await Promise.allSettled(running);
    },
  };
}
