import type { SqliteDatabase } from "../driver/sqlite-database.js";
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
  /** Forgets those that `remove` takes out, in the same way. */
  forgetSome(remove: (values: T) => void): void;
}

/** How often the stores on a connection have forgotten values, each after a write of its own. */
const forgotten = new WeakMap<SqliteDatabase, { times: number }>();

/**
 * Returns a function that makes a `Kept`; `none` makes the object that holds the values, which must bound them.
 *
 * SQLite changes `PRAGMA data_version` with each commit of another connection, be it of this or of another process, and
 * the pragma sees every commit that was acknowledged before. So values that are read after it are right until it changes
 * or until this connection writes: reads and transactions of a connection never overlap, and a write forgets what it
 * changes before it commits. A value that is newer than the version it is kept under is forgotten with it, too early at
 * worst. A snapshot of this connection, which `snapshotNow` numbers, has one version for all its values.
 *
 * The pragma does not show the writes of this connection, which several stores may share: when one of them forgets a
 * value, the others forget all of theirs.
 */
export function valueKeeper(database: SqliteDatabase, snapshotNow: () => number | null): <T>(none: () => T) => Kept<T> {
  const dataVersion = lazily(() => database.prepare("PRAGMA data_version").safeIntegers(false).pluck());
  const byAll = forgotten.get(database) ?? { times: 0 };
  forgotten.set(database, byAll);
  let timesByThis = 0;
  let last = { snapshot: -1, version: 0 };

  /** Grows with each commit of another connection and with each value that another store has forgotten. */
  function versionNow(): number {
    const snapshot = snapshotNow();
    if (snapshot !== null && snapshot === last.snapshot) return last.version;
    const version = Number(dataVersion().get()) + byAll.times - timesByThis;
    if (snapshot !== null) last = { snapshot, version };
    return version;
  }

  /** Makes the other stores on the connection forget theirs. */
  function noteChange(): void {
    byAll.times += 1;
    timesByThis += 1;
  }

  return (none) => {
    let values = none();
    let version: number | null = null;
    return {
      current: () => {
        if (database.inTransaction && snapshotNow() === null) return none();
        const now = versionNow();
        if (now !== version) values = none();
        version = now;
        return values;
      },
      forget: () => {
        values = none();
        noteChange();
      },
      forgetSome: (remove) => {
        remove(values);
        noteChange();
      },
    };
  };
}

/**
 * For a connection inside a transaction of the host: every value is read again. A store that has the connection too
 * forgets its values with each write.
 */
export function keepNothing(database: SqliteDatabase): <T>(none: () => T) => Kept<T> {
  const noteChange = (): void => {
    const byAll = forgotten.get(database);
    if (byAll !== undefined) byAll.times += 1;
  };
  return (none) => ({ current: none, forget: noteChange, forgetSome: noteChange });
}
