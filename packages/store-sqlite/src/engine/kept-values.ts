import { BoundedValues } from "./bounded-values.js";
import type { SqliteDatabase } from "./database.js";
import { lazily } from "./statements.js";

/** Keeps what was read for as long as the database is as it was. */
export interface Kept<V> {
  /**
   * The values that still hold, to be used before the next await. Inside a transaction of the host there are none, and
   * none are kept.
   */
  current(): BoundedValues<V>;
  /** Forgets all values. A write of this process that changes one calls it inside its transaction. */
  forget(): void;
}

/**
 * Returns a function that makes a `Kept` of at most twice `limit` values.
 *
 * SQLite changes `PRAGMA data_version` with each commit of another connection, be it of this or of another process, and
 * the pragma sees every commit that was acknowledged before. So values that are read after it are right until it changes
 * or until this connection writes: reads and transactions of a connection never overlap, and a write forgets what it
 * changes before it commits. A value that is newer than the version it is kept under is forgotten with it, too early at
 * worst.
 */
export function valueKeeper(database: SqliteDatabase): <V>(limit: number) => Kept<V> {
  const dataVersion = lazily(() => database.prepare("PRAGMA data_version").safeIntegers(false).pluck());
  return <V>(limit: number) => {
    const values = new BoundedValues<V>(limit);
    let version: unknown = null;
    return {
      current: () => {
        if (database.inTransaction) return new BoundedValues<V>(limit);
        const now = dataVersion().get();
        if (now !== version) values.clear();
        version = now;
        return values;
      },
      forget: () => values.clear(),
    };
  };
}

/** For a connection inside a transaction of the host: every value is read again. */
export function keepsNothing<V>(limit: number): Kept<V> {
  return { current: () => new BoundedValues<V>(limit), forget: () => {} };
}
