import { StoreUnavailable } from "@budgetkit/core/store";
import type { OwnConnection } from "./connection.js";
import { isDamage } from "./failures.js";

/** A connection that writes nothing more once SQLite has reported damage of the file: further writes could spread it. */
export interface GuardedConnection extends OwnConnection {
  /** Throws StoreUnavailable once damage was reported. */
  assertIntact(): void;
}

/** Calls that meet damage, and all later writes, reject with StoreUnavailable. Other reads go on. */
export function stopWritesOnDamage(connection: OwnConnection): GuardedConnection {
  let damage: StoreUnavailable | null = null;

  async function watched<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      damage ??= new StoreUnavailable(DAMAGED, { cause: error });
      throw damage;
    }
  }

  function assertIntact(): void {
    if (damage !== null) throw damage;
  }

  async function written<T>(work: () => Promise<T>): Promise<T> {
    assertIntact();
    return watched(work);
  }

  return {
    ...connection,
    assertIntact,
    read: (query) => watched(() => connection.read(query)),
    snapshot: (query) => watched(() => connection.snapshot(query)),
    write: (piece) => written(() => connection.write(piece)),
    writeUnsynced: (piece) => written(() => connection.writeUnsynced(piece)),
  };
}

const DAMAGED =
  "the database file is damaged, so it takes no more writes: stop the server, look at it with budgetkit doctor, and " +
  "bring back a backup";
