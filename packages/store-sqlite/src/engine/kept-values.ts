import type { SqliteDatabase } from "./database.js";
import { lazily } from "./statements.js";

/** Values that were read from the database, kept for as long as it is as it was. */
export interface Kept<T> {
  /**
   * The values that still hold, to be used before the next await; what is read to add to them is read after this call.
   * Inside a transaction of the host there are none, and none are kept.
   */
  current(): T;
  /** Forgets the values. A write of this process that changes one calls it inside its transaction. */
  forget(): void;
}

/**
 * Returns a function that makes a `Kept`; `none` makes the object that holds the values, which must bound them.
 *
 * SQLite changes `PRAGMA data_version` with each commit of another connection, be it of this or of another process, and
 * the pragma sees every commit that was acknowledged before. So values that are read after it are right until it changes
 * or until this connection writes: reads and transactions of a connection never overlap, and a write forgets what it
 * changes before it commits. A value that is newer than the version it is kept under is forgotten with it, too early at
 * worst. In a snapshot of this connection, for which `isInSnapshot` is true, version and values are of one commit.
 */
export function valueKeeper(database: SqliteDatabase, isInSnapshot: () => boolean): <T>(none: () => T) => Kept<T> {
  const dataVersion = lazily(() => database.prepare("PRAGMA data_version").safeIntegers(false).pluck());
  return (none) => {
    let values = none();
    let version: unknown = null;
    return {
      current: () => {
        if (database.inTransaction && !isInSnapshot()) return none();
        const now = dataVersion().get();
        if (now !== version) values = none();
        version = now;
        return values;
      },
      forget: () => {
        values = none();
      },
    };
  };
}

/** For a connection inside a transaction of the host: every value is read again. */
export function keepsNothing<T>(none: () => T): Kept<T> {
  return { current: none, forget: () => {} };
}
