import { createGroupCommit, type GroupCommit, StoreUnavailable } from "@budgetkit/core/store";
import { type Acknowledge, createBatchRunner, type Piece } from "./batch.js";
import type { SqliteDatabase } from "./database.js";
import { whenUnlocked } from "./lock-wait.js";
import { lazily, type Statements, statementsOn } from "./statements.js";

export type { SqlValue } from "./statements.js";

/** One connection as the ports use it. */
export interface Connection extends Statements {
  /** Throws StoreUnavailable after the store was closed. */
  assertOpen(): void;
  /** Runs `query`. Throws StoreUnavailable when SQLite cannot serve. */
  read<T>(query: () => T): Promise<T>;
  /** Runs a query of several statements that all see the same moment. */
  snapshot<T>(query: () => T): Promise<T>;
  /**
   * Runs `piece` in a transaction, which it may share with others, and resolves once it is what it should be: committed,
   * or a part of the transaction of the host. What a piece did is undone when it throws; the others are not touched.
   */
  write<T>(piece: () => T): Promise<T>;
  /**
   * The same without waiting for the disk, unless a piece of the same transaction does: for what may be done again after
   * a loss of power. It survives the death of the process like everything else.
   */
  writeUnsynced<T>(piece: () => T): Promise<T>;
}

/** The connection of the store itself: what is written at the same time shares a commit. */
export interface OwnConnection extends Connection {
  /** Lets the pieces that wait be committed and refuses every later use. */
  drain(): Promise<void>;
}

/** `isLockedWithin` tells of a lock that this very process may hold, on another connection: see {@link createBatchRunner}. */
export function connect(database: SqliteDatabase, isLockedWithin: () => boolean = () => false): OwnConnection {
  const group = createGroupCommit({ run: createBatchRunner(database, isLockedWithin) });
  const begin = lazily(() => database.prepare("BEGIN"));
  const commit = lazily(() => database.prepare("COMMIT"));
  let closed = false;

  function assertOpen(): void {
    if (closed) throw new StoreUnavailable("the store was closed");
  }

  async function read<T>(query: () => T): Promise<T> {
    assertOpen();
    return whenUnlocked(query);
  }

  return {
    ...statementsOn(database),
    assertOpen,
    read,
    snapshot: (query) =>
      read(() => {
        if (database.inTransaction) return query(); // the caller's own transaction is a snapshot already
        begin().run();
        try {
          return query();
        } finally {
          commit().run();
        }
      }),
    write: async (piece) => {
      assertOpen();
      return inGroup(group, piece, true);
    },
    writeUnsynced: async (piece) => {
      assertOpen();
      return inGroup(group, piece, false);
    },
    drain: async () => {
      closed = true;
      await group.drain();
    },
  };
}

function inGroup<T>(group: GroupCommit<Piece, Acknowledge>, piece: () => T, isSynced: boolean): Promise<T> {
  return new Promise((resolve, reject) => {
    const run = (): Acknowledge => {
      const outcome = piece();
      return () => resolve(outcome);
    };
    group.commit({ run, isSynced }).then((acknowledge) => acknowledge(), reject);
  });
}
