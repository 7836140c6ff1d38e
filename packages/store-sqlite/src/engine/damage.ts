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

  /** The error to throw: the damage, once there is any. */
  function failureOf(error: unknown): unknown {
    if (!isDamage(error)) return error;
    damage ??= new StoreUnavailable(DAMAGED, { cause: error });
    return damage;
  }

  function assertIntact(): void {
    if (damage !== null) throw damage;
  }

  function noticed<T>(query: () => T): T {
    try {
      return query();
    } catch (error) {
      throw failureOf(error);
    }
  }

  function written<T>(work: () => Promise<T>): Promise<T> {
    if (damage !== null) return Promise.reject(damage);
    return work().catch((error: unknown) => Promise.reject(failureOf(error)));
  }

  return {
    ...connection,
    assertIntact,
    read: (query) => connection.read(() => noticed(query)),
    snapshot: (query) => connection.snapshot(() => noticed(query)),
    write: (piece) => written(() => connection.write(piece)),
    writeUnsynced: (piece) => written(() => connection.writeUnsynced(piece)),
  };
}

const DAMAGED =
  "the database file is damaged, so it takes no more writes: stop the server, look at it with budgetkit doctor, and " +
  "bring back a backup";
