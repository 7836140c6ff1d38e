import { linkDriver } from "./link-driver.mjs";
import { runPnpmQuietly } from "./pnpm.mjs";
import { hashFiles, readStamp, removeStamp, workspaceFolders, writeStamp } from "./workspace.mjs";

const stamp = "installed";

/** Installs the dependencies unless what is installed came from these manifests, this lock file and this Node. */
export function install() {
  if (readStamp(stamp) === fingerprint()) return;
  removeStamp(stamp);
  const whole = "--config.optimistic-repeat-install=false"; // else pnpm leaves what another Node has chosen
  must(runPnpmQuietly("Installing the dependencies ...", "install", whole), "install");
  linkDriver(); // pnpm may have removed the link after it ran the script
  writeStamp(stamp, fingerprint());
}

/** The dependencies, and Node's binary interface: which SQLite driver is installed depends on it. */
function fingerprint() {
  const manifests = ["package.json", ...workspaceFolders.map((folder) => `${folder}/package.json`)];
  const dependencies = hashFiles([...manifests, "pnpm-lock.yaml", "pnpm-workspace.yaml", ".pnpmfile.mjs"]);
  return `${dependencies} ${process.platform}-${process.arch}-${process.versions.modules}`;
}

function must(status, step) {
  if (status === 0) return;
  console.error(`The ${step} failed.`);
  process.exit(status);
}
