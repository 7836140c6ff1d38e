import type { Write } from "@budgetkit/core/store";
import type { SqliteDatabase } from "../driver/sqlite-database.js";

/** Receives the writes of a transaction before they are applied. */
export type Listener = (writes: readonly Write[]) => void;

/** By the connection that several stores, and transactions of hosts, may share. */
const listeners = new WeakMap<SqliteDatabase, Set<Listener>>();

/** Passes writes to those who listen on the connection. SQLite shows a connection the commits of all others, not its own. */
export function noteWrites(database: SqliteDatabase, writes: readonly Write[]): void {
  for (const listener of listeners.get(database) ?? []) listener(writes);
}

/** Returns a function that removes the listener. */
export function onWrites(database: SqliteDatabase, listener: Listener): () => void {
  const others = listeners.get(database) ?? new Set();
  listeners.set(database, others.add(listener));
  return () => void others.delete(listener);
}
