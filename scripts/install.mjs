import { runPnpmQuietly } from "./pnpm.mjs";
import { hashFiles, readStamp, removeStamp, workspaceFolders, writeStamp } from "./workspace.mjs";

const stamp = "installed";

/** Installs the dependencies unless what is installed came from these manifests, this lock file and this Node. */
export function install() {
  const last = readStamp(stamp).split(" ");
  const now = fingerprint();
  if (last[0] === now[0] && last[1] === now[1]) return;
  removeStamp(stamp);
  must(runPnpmQuietly("Installing the dependencies ...", "install"), "install");
  // Installing leaves alone what another Node compiled.
  if (last[1] !== undefined && last[1] !== now[1])
    must(runPnpmQuietly("Rebuilding them for this Node ...", "rebuild", "--recursive"), "rebuild");
  writeStamp(stamp, fingerprint().join(" "));
}

/** [dependencies, Node's binary interface] */
function fingerprint() {
  const manifests = ["package.json", ...workspaceFolders.map((folder) => `${folder}/package.json`)];
  return [
    hashFiles([...manifests, "pnpm-lock.yaml", "pnpm-workspace.yaml"]),
    `${process.platform}-${process.arch}-${process.versions.modules}`,
  ];
}

function must(status, step) {
  if (status === 0) return;
  console.error(`The ${step} failed.`);
  process.exit(status);
}
