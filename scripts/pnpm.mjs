import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
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

/** The same without a word of its output, unless it fails. `what` is said before, since it may take a while. */
export function runPnpmQuietly(what, ...args) {
  return runQuietly(what, [...findPnpm(), ...args]);
}

/** Runs a command in the root folder, and prints everything that it said if it fails. Returns its exit code. */
export function runQuietly(what, [file, ...args]) {
  console.error(what);
  const folder = mkdtempSync(join(tmpdir(), "budgetkit-"));
  try {
    const log = join(folder, "output");
    const output = openSync(log, "w");
    const env = withNodeHeaders(process.env);
    const run = spawnSync(file, args, { cwd: root, stdio: ["ignore", output, output], env });
    closeSync(output);
    if (run.error) throw run.error;
    if (run.status !== 0) process.stderr.write(readFileSync(log));
    return run.status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
 * Native modules compile against Node's headers. Where this Node brings them along, name them: it spares a download,
 * which fails behind many firewalls. Headers of another Node, inherited from npm's settings, would compile a module
 * that does not load.
 */
function withNodeHeaders({ npm_config_nodedir: inherited, ...env }) {
  const nodedir = [dirname(dirname(process.execPath)), inherited].find((folder) => folder && hasOurHeaders(folder));
  return nodedir ? { ...env, npm_config_nodedir: nodedir } : env;
}

function hasOurHeaders(folder) {
  try {
    const header = readFileSync(join(folder, "include/node/node_version.h"), "utf8");
    const part = (name) => header.match(new RegExp(`#define NODE_${name}_VERSION (\\d+)`))?.[1];
    return process.version === `v${part("MAJOR")}.${part("MINOR")}.${part("PATCH")}`;
  } catch {
    return false;
  }
}
