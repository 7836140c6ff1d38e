import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { newFolder } from "../../packages/store-postgres/src/testing/postgres-server.js";
import type { Environment } from "../programs/running-program.js";

/** A disk that can be full for the programs that run in this environment. */
export interface Disk {
  readonly environment: Environment;
  /** From now on no file of these programs can grow. */
  fill(): void;
  free(): void;
}

const source = fileURLToPath(new URL("full-disk.c", import.meta.url));
const hasCompiler = spawnSync("cc", ["--version"]).status === 0;

/** Why tests of a full disk are skipped; null = they run. */
export const noFullDisk = process.platform === "linux" && hasCompiler ? null : "they need Linux and a C compiler";
if (noFullDisk !== null) process.stderr.write(`Tests of a full disk are skipped: ${noFullDisk}\n`);

/** A disk with room, until the end of the test. `full-disk.c` says how it gets full without root. */
export function emptyDisk(): Disk {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const library = join(folder, "full-disk.so");
  const flag = join(folder, "is-full");
  const built = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, source]);
  if (built.status !== 0) throw new Error(`full-disk.c cannot be built:\n${built.stderr.toString()}`);
  return {
    environment: { LD_PRELOAD: library, FULL_DISK: flag },
    fill: () => writeFileSync(flag, ""),
    free: () => rmSync(flag, { force: true }),
  };
}
