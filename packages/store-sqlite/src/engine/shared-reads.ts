import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { retryWhileLocked } from "./lock-wait.js";
import { lazily } from "./statements.js";

/** The queries of a connection. */
export interface SharedReads {
  /** Runs the query once the calls of this step are made. */
  read<T>(query: () => T): Promise<T>;
  /** Runs work of several statements on one snapshot. */
  inSnapshot<T>(work: () => T): T;
  /**
   * Returns `find`, which runs once in each snapshot. Inside a transaction of the connection's owner the result is null:
   * what that reads may be undone.
   */
  memoizedBySnapshot(find: () => number): () => number | null;
}

/**
 * Queries that are asked for together share a snapshot: the requests that one commit lets go on are such. SQLite then
 * takes its locks once for all of them.
 */
export function sharedReads(database: SqliteDatabase, assertOpen: () => void): SharedReads {
  const begin = lazily(() => database.prepare("BEGIN"));
  const commit = lazily(() => database.prepare("COMMIT"));
  let waiting: (() => void)[] = [];
  let snapshots = 0;
  let snapshot: number | null = null; // the present one; null = none that was begun here

  function inSnapshot<T>(work: () => T): T {
    if (database.inTransaction) return work(); // a snapshot already
    begin().run();
    snapshots += 1;
    snapshot = snapshots;
    try {
      return work();
    } finally {
      snapshot = null;
      commit().run();
    }
  }

  function memoizedBySnapshot(find: () => number): () => number | null {
    let found = { snapshot: -1, value: 0 };
    return () => {
      if (snapshot === null) return database.inTransaction ? null : find();
      if (found.snapshot !== snapshot) found = { snapshot, value: find() };
      return found.value;
    };
  }

  function runWaiting(): void {
    const queries = waiting;
    waiting = [];
    const runAll = (): void => {
      for (const run of queries) run();
    };
    try {
      if (queries.length === 1) runAll();
      else inSnapshot(runAll);
    } catch {
      runAll(); // no snapshot: each query meets the failure itself
    }
  }

  return {
    read: (query) =>
      new Promise((resolve, reject) => {
        assertOpen();
        const run = (): void => {
          try {
            resolve(query());
          } catch {
            retryWhileLocked(query).then(resolve, reject);
          }
        };
        if (waiting.push(run) === 1) void AT_ONCE.then(runWaiting);
      }),
    inSnapshot,
    memoizedBySnapshot,
  };
}

/** What waits for it runs after the calls of this step. `queueMicrotask` costs several times as much. */
const AT_ONCE = Promise.resolve();
