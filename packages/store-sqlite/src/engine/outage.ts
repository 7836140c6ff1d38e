import { sharedAnswer } from "@budgetkit/core/store";
import type { OwnConnection } from "./connection.js";

const REMEMBERED_MS = 1_000;
const CLOCK = { monotonicMs: () => performance.now() };

/**
 * Rejects when a write fails. It adds a record of a migration, which every file has, and removes it in the same
 * transaction, without a wait for the disk, at most once a second. SQLite would skip an update to the same value.
 */
export function createWriteProbe(connection: OwnConnection): () => Promise<void> {
  const add = connection.command("INSERT INTO budgetkit_migrations (version, checksum) VALUES (0, '')");
  const remove = connection.command("DELETE FROM budgetkit_migrations WHERE version = 0");
  const write = (): void => {
    add();
    remove();
  };
  return sharedAnswer(() => connection.writeUnsynced(write), REMEMBERED_MS, CLOCK);
}

/** The message of the first check that rejects; null = all succeed. */
export async function findFailure(checks: readonly (() => Promise<unknown>)[]): Promise<string | null> {
  try {
    for (const check of checks) await check();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
