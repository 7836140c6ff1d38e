import { createGroupCommit, type GroupCommit, StoreUnavailable } from "@budgetkit/core/store";
import { type Acknowledge, createBatchRunner, type Piece } from "./batch.js";
import type { SqliteDatabase, SqliteStatement } from "./database.js";
import { whenUnlocked } from "./lock-wait.js";
import { asRow, type Row } from "./rows.js";

/** What SQLite stores. */
export type SqlValue = string | number | null;

/**
 * One connection as the ports use it. Statements are prepared at their first use, since their tables need not exist
 * before the schema was brought up to date.
 */
export interface Connection {
  /** A statement that changes rows; gives how many. */
  command(sql: string): (...values: SqlValue[]) => number;
  /** A statement whose first row is wanted; null = there is none. */
  row(sql: string): (...values: SqlValue[]) => Row | null;
  rows(sql: string): (...values: SqlValue[]) => readonly Row[];
  /** A statement of one column whose first value is wanted; undefined = there is no row. */
  value(sql: string): (...values: SqlValue[]) => unknown;
  values(sql: string): (...values: SqlValue[]) => readonly unknown[];

  /** Throws StoreUnavailable after {@link drain}. */
  assertOpen(): void;
  /** Runs `query`. Throws StoreUnavailable when SQLite cannot serve. */
  read<T>(query: () => T): Promise<T>;
  /** Runs a query of several statements that all see the same moment. */
  snapshot<T>(query: () => T): Promise<T>;
  /**
   * Runs `piece` in a transaction that it shares with the pieces that wait at the same time, and resolves after the
   * commit. What a piece did is undone when it throws; the others are not touched.
   */
  write<T>(piece: () => T): Promise<T>;
  /**
   * The same without waiting for the disk, unless a piece of the same transaction does: for what may be done again after
   * a loss of power. It survives the death of the process like everything else.
   */
  writeUnsynced<T>(piece: () => T): Promise<T>;
  /** Lets the pieces that wait be committed and refuses every later use. */
  drain(): Promise<void>;
}

export function connect(database: SqliteDatabase): Connection {
  const group = createGroupCommit({ run: createBatchRunner(database) });
  const begin = lazily(() => database.prepare("BEGIN"));
  const commit = lazily(() => database.prepare("COMMIT"));
  let closed = false;

  function assertOpen(): void {
    if (closed) throw new StoreUnavailable("the store was closed");
  }

  /** Rows carry plain numbers, whatever the default of the caller's connection is. */
  function prepareQuery(sql: string): SqliteStatement {
    return database.prepare(sql).safeIntegers(false);
  }

  async function read<T>(query: () => T): Promise<T> {
    assertOpen();
    return whenUnlocked(query);
  }

  return {
    command(sql) {
      const statement = lazily(() => database.prepare(sql));
      return (...values) => statement().run(...values).changes;
    },
    row(sql) {
      const statement = lazily(() => prepareQuery(sql).raw());
      return (...values) => {
        const row = statement().get(...values);
        return row === undefined ? null : asRow(row);
      };
    },
    rows(sql) {
      const statement = lazily(() => prepareQuery(sql).raw());
      return (...values) =>
        statement()
          .all(...values)
          .map(asRow);
    },
    value(sql) {
      const statement = lazily(() => prepareQuery(sql).pluck());
      return (...values) => statement().get(...values);
    },
    values(sql) {
      const statement = lazily(() => prepareQuery(sql).pluck());
      return (...values) => statement().all(...values);
    },
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

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
