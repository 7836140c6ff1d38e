import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where large databases are kept from one run to the next. */
export function cacheFolder(): string {
  const folder = join(tmpdir(), "budgetkit-bench");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Runs `use` with a folder that is gone afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-bench-run-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
