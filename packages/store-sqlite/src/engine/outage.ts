import { sharedAnswer } from "@budgetkit/core/store";
import type { OwnConnection } from "./connection.js";

const REMEMBERED_MS = 1_000;
const CLOCK = { monotonicMs: () => performance.now() };

/**
 * Rejects when a write fails. It writes the records of the migrations, which every file has, without a change and without
 * a wait for the disk, at most once a second.
 */
export function createWriteProbe(connection: OwnConnection): () => Promise<void> {
  const touch = connection.command("UPDATE budgetkit_migrations SET checksum = checksum");
  return sharedAnswer(async () => void (await connection.writeUnsynced(() => touch())), REMEMBERED_MS, CLOCK);
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
