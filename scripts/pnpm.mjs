import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Runs the pinned pnpm in the root folder and returns its exit code. The output goes where this process's goes. */
export function runPnpm(...args) {
  const [file, ...first] = findPnpm();
  const run = spawnSync(file, [...first, ...args], { cwd: root, stdio: "inherit", env: withNodeHeaders(process.env) });
  if (run.error) throw run.error;
  return run.status ?? 1;
}

let found;

/** The command that starts the pinned pnpm: the one on PATH when it is that version, else npm fetches it. */
export function findPnpm() {
  if (found) return found;
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const version = packageManager.replace(/^pnpm@/, "");
  const onPath = spawnSync("pnpm", ["--version"], { cwd: root, encoding: "utf8", timeout: 10_000 });
  found =
    onPath.stdout?.trim() === version ? ["pnpm"] : ["npm", "exec", "--yes", `--package=pnpm@${version}`, "--", "pnpm"];
  return found;
}

/**
 * Native modules compile against Node's headers. Where Node brings them along, name them: it spares a download, which
 * fails behind many firewalls.
 */
function withNodeHeaders(env) {
  if (env.npm_config_nodedir) return env;
  const prefix = dirname(dirname(process.execPath));
  try {
    const header = readFileSync(join(prefix, "include/node/node_version.h"), "utf8");
    const part = (name) => header.match(new RegExp(`#define NODE_${name}_VERSION (\\d+)`))?.[1];
    const version = `v${part("MAJOR")}.${part("MINOR")}.${part("PATCH")}`;
    return version === process.version ? { ...env, npm_config_nodedir: prefix } : env;
  } catch {
    return env;
  }
}
