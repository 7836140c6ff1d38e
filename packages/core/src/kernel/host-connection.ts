/**
 * A connection of the host to the database of the store, on which it has begun a transaction. What it has to be is the
 * store's concern: a better-sqlite3 `Database` for `sqliteStore`. `memoryStore` takes none.
 */
export type HostConnection = object;

/** How one call is carried out. */
export interface CallOptions {
  /**
   * Carries the call out in the transaction that the host has open on this connection: it reads what was written there,
   * and what it writes is committed, or rolled back, by the host. Left out, the call commits by itself.
   * Rejects with a TypeError for what the store cannot use, without a transaction, and on another database.
   */
  readonly connection?: HostConnection;
}

/** Gives what a call works with: the service's own context, or one in the transaction of the host. */
export type ContextFor<Context> = (options?: CallOptions) => Context;
