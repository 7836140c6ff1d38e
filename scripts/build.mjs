import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { install } from "./install.mjs";
import { root, runPnpm, runQuietly } from "./pnpm.mjs";
import { filesBelow, hashFiles, readStamp, removeStamp, workspaceFolders, writeStamp } from "./workspace.mjs";

const stamp = "built";

/** Builds every package and example, with types, unless that is what dist holds. Returns an exit code. */
export function buildAll() {
  const filters = builtFolders.flatMap((folder) => ["--filter", `./${folder}`]);
  return build("all", () => runPnpm(...filters, "run", "build"));
}

/** Builds what the standalone server needs to run, which is much quicker, and quietly. Returns an exit code. */
export function buildServer() {
  const command = [process.execPath, join(root, "scripts/build-server.mjs")];
  return build("server", () => runQuietly("Building the server ...", command));
}

const builtFolders = workspaceFolders.filter((folder) => existsSync(join(root, folder, "src")) && folder !== "bench");

function build(extent, run) {
  const sources = hashSources();
  const [lastSources, lastExtent] = readStamp(stamp).split(" ");
  if (lastSources === sources && (lastExtent === "all" || lastExtent === extent) && outputsExist()) return 0;
  removeStamp(stamp);
  const status = run();
  if (status === 0) writeStamp(stamp, `${sources} ${extent}`);
  return status;
}

function hashSources() {
  const sources = builtFolders
    .flatMap((folder) => [
      ...filesBelow(`${folder}/src`),
      ...filesBelow(`${folder}/app`),
      `${folder}/package.json`,
      `${folder}/tsup.config.ts`,
      `${folder}/vite.config.ts`,
    ])
    .filter((path) => !path.endsWith(".test.ts"));
  return hashFiles([...sources, "pnpm-lock.yaml", "tsconfig.base.json", "tsup.base.ts"]);
}

/** Someone may have removed a dist folder by hand. */
function outputsExist() {
  return [
    "packages/core/dist/index.js",
    "packages/dashboard/dist/index.js",
    "packages/reference/dist/viewer/manifest.json",
    "packages/cli/dist/main.js",
  ].every((path) => existsSync(join(root, path)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  install();
  process.exitCode = buildAll();
}
