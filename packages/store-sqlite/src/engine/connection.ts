import { createGroupCommit, StoreUnavailable } from "@budgetkit/core/store";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { type Acknowledge, createBatchRunner } from "./batch.js";
import { type Kept, valueKeeper } from "./kept-values.js";
import { sharedReads } from "./shared-reads.js";
import { type Statements, statementsOn } from "./statements.js";

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
  /** Keeps values that were read. See {@link valueKeeper}. */
  keep<T>(none: () => T): Kept<T>;
}

/** The store's own connection: concurrent writes share a commit. */
export interface OwnConnection extends Connection {
  /** Commits the waiting pieces and refuses later calls. */
  drain(): Promise<void>;
}

/** Requests that arrive at the same time reach their write in different turns of the event loop. */
const BATCH_TURNS = 4;

/** For `isLockedByHost` and `beforeCommit` see {@link createBatchRunner}, for `refuseNewer` {@link newerSchemaRefuser}. */
export function connect(
  database: SqliteDatabase,
  isLockedByHost: () => boolean = () => false,
  beforeCommit: () => void = () => {},
  refuseNewer: () => void = () => {},
): OwnConnection {
  const run = createBatchRunner(database, { isLockedByHost, afterBegin: refuseNewer, beforeCommit });
  const group = createGroupCommit({ run, maxTurns: BATCH_TURNS });
  const reads = sharedReads(database, assertOpen);
  let closed = false;

  function assertOpen(): void {
    if (closed) throw new StoreUnavailable("the store was closed");
  }

  function inGroup<T>(piece: () => T, isSynced: boolean): Promise<T> {
    return new Promise((resolve, reject) => {
      assertOpen();
      const run = (): Acknowledge => {
        const outcome = piece();
        return () => resolve(outcome);
      };
      group.add({ run, isSynced }, (acknowledge) => acknowledge(), reject);
    });
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
    write: (piece) => inGroup(piece, true),
    writeUnsynced: (piece) => inGroup(piece, false),
    keep: valueKeeper(database, reads.snapshot),
    drain: async () => {
      closed = true;
      await group.drain();
    },
  };
}
