// Node 20 has better-sqlite3 12 under another name, because a lock file holds one version a name (.pnpmfile.mjs).
import { existsSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./pnpm.mjs";

/** Gives that one the name of the driver. pnpm runs this after each installation. */
export function linkDriver() {
  const modules = join(root, "node_modules");
  if (!process.version.startsWith("v20.") || !existsSync(join(modules, "better-sqlite3-node20"))) return;
  rmSync(join(modules, "better-sqlite3"), { force: true }); // a link, be it to what another Node had
  symlinkSync("better-sqlite3-node20", join(modules, "better-sqlite3"), "dir");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) linkDriver();
