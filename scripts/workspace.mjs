import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./pnpm.mjs";

/** Folders of the published packages, relative to the root. */
export const packageFolders = foldersIn("packages");

/** Folders of everything that has a manifest, apart from the root. */
export const workspaceFolders = [...packageFolders, ...foldersIn("examples"), "bench"];

function foldersIn(parent) {
  return readdirSync(join(root, parent))
    .map((name) => `${parent}/${name}`)
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .sort();
}

/** Paths of all files below a folder, relative to the root, in a stable order. */
export function filesBelow(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

/** One hash of the names and contents of files. Files that do not exist count as empty. */
export function hashFiles(paths) {
  const hash = createHash("sha256");
  for (const path of paths) {
    const full = join(root, path);
    hash
      .update(`${path}\0`)
      .update(existsSync(full) ? readFileSync(full) : "")
      .update("\0");
  }
  return hash.digest("hex");
}

/** A stamp remembers, beside the installed modules, what a finished step was made from. */
export function readStamp(name) {
  try {
    return readFileSync(stampPath(name), "utf8");
  } catch {
    return "";
  }
}

export function writeStamp(name, value) {
  mkdirSync(dirname(stampPath(name)), { recursive: true });
  writeFileSync(stampPath(name), value);
}

export function removeStamp(name) {
  rmSync(stampPath(name), { force: true });
}

function stampPath(name) {
  return join(root, "node_modules/.cache/budgetkit", name);
}
