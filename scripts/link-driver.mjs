// pnpm runs this after each installation. Node 20 has better-sqlite3 12 under another name, because a lock file holds one
// version a name (.pnpmfile.mjs). This gives it its name.
import { existsSync, lstatSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "./pnpm.mjs";

const modules = join(root, "node_modules");
const link = join(modules, "better-sqlite3");

if (!existsSync(link) && existsSync(join(modules, "better-sqlite3-node20"))) {
  if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link); // a link to what another Node had
  symlinkSync("better-sqlite3-node20", link, "dir");
}
