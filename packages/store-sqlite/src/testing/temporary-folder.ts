import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder {
  readonly path: string;
  file(name: string): string;
  remove(): void;
}

const SHARED_MEMORY = "/dev/shm"; // Linux

export function temporaryFolder(parent = tmpdir()): TemporaryFolder {
  const path = mkdtempSync(join(parent, "budgetkit-sqlite-"));
  return {
    path,
    file: (name) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** A folder in memory where the system has one, for files that are not about the disk: an fsync there is free. */
export function inMemoryFolder(): TemporaryFolder {
  return temporaryFolder(existsSync(SHARED_MEMORY) ? SHARED_MEMORY : tmpdir());
}
