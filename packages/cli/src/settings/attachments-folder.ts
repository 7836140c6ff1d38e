import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StartFailure } from "../terminal/failures.js";
import type { Settings } from "./settings.js";

export interface AttachmentsFolder {
  readonly path: string;
  /** Removes the folder when it belongs to an in-memory database. */
  end(): void;
}

/**
 * The folder that is set, else one beside the database file; null = none, because a database shared by several machines has
 * no local folder. Throws a StartFailure when the folder cannot be created.
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
