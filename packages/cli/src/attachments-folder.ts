import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Settings } from "./settings.js";
import { StartFailure } from "./start-failure.js";

export interface AttachmentsFolder {
  readonly path: string;
  /** Removes it, if it was made for data that end with the process. */
  end(): void;
}

/**
 * The one that was named, or else one beside the database file; null = neither, since a database that other machines
 * share has no folder here. Throws a StartFailure when the one that was named cannot be.
 */
export function attachmentsFolder({
  BUDGETKIT_ATTACHMENTS_DIR: named,
  DATABASE_URL: database,
}: Settings): AttachmentsFolder | null {
  if (named !== null) return { path: make(named), end: () => {} };
  if (database.kind === "postgres") return null;
  if (database.kind === "file") return { path: `${database.path}-attachments`, end: () => {} };
  const path = mkdtempSync(join(tmpdir(), "budgetkit-attachments-"));
  return { path, end: () => rmSync(path, { recursive: true, force: true }) };
}

function make(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailure(`BUDGETKIT_ATTACHMENTS_DIR cannot be used: ${reason}`);
  }
}
