import { rmSync } from "node:fs";
import { join } from "node:path";
import { linkDriver } from "./link-driver.mjs";
import { root, runPnpmQuietly } from "./pnpm.mjs";
import { hashFiles, readStamp, removeStamp, workspaceFolders, writeStamp } from "./workspace.mjs";

const stamp = "installed";

/** Installs the dependencies unless what is installed came from these manifests, this lock file and this Node. */
export function install() {
  const [lastDependencies, lastNode] = readStamp(stamp).split(" ");
  const [dependencies, node] = fingerprint();
  if (lastDependencies === dependencies && lastNode === node) return;
  removeStamp(stamp);
  if (lastNode !== undefined && lastNode !== node) removeModules();
  const status = runPnpmQuietly("Installing the dependencies ...", "install");
  if (status !== 0) {
    console.error("The install failed.");
    process.exit(status);
  }
  linkDriver();
  writeStamp(stamp, fingerprint().join(" "));
}

/** Which SQLite driver is installed depends on Node, and pnpm leaves what it has chosen for another one. */
function removeModules() {
  for (const folder of ["", ...workspaceFolders]) {
    rmSync(join(root, folder, "node_modules"), { recursive: true, force: true });
  }
}

/** [dependencies, Node's binary interface] */
function fingerprint() {
  const manifests = ["package.json", ...workspaceFolders.map((folder) => `${folder}/package.json`)];
  return [
    hashFiles([...manifests, "pnpm-lock.yaml", "pnpm-workspace.yaml", ".pnpmfile.mjs"]),
    `${process.platform}-${process.arch}-${process.versions.modules}`,
  ];
}
