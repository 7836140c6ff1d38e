import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { bundleServer } from "./bundle-server.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = join(root, "node_modules/.cache/budgetkit");
const lock = join(cache, "test-build.pid");
const BUILD_SERVER = "import { buildServer } from './scripts/build.mjs'; process.exit(buildServer());";

let serverBuild: Promise<void> | null = null; // null = this process has not asked for it
let quickBuild: Promise<string> | null = null; // likewise

/**
 * The standalone server of {@link builtServer} with quick starts and quick passwords, for tests of what it does: bundled
 * once for all builds from the same sources. @returns its main file
 */
export function quickServer(): Promise<string> {
  quickBuild ??= builtServer().then(async () => {
    const folder = join(cache, "test-server");
    const stamp = join(folder, "made-from");
    const sources =
      readFileSync(join(cache, "built"), "utf8") + readFileSync(join(root, "tests/programs/bundle-server.ts"), "utf8");
    const isCurrent = () => existsSync(stamp) && readFileSync(stamp, "utf8") === sources;
    await alone(async () => {
      if (isCurrent()) return;
      await bundleServer(folder);
      writeFileSync(stamp, sources);
    });
    return join(folder, "dist/main.cjs");
  });
  return quickBuild;
}

/** The standalone server as `npm start` would run it, built once for all test files of a process. @returns its main file */
export async function builtServer(): Promise<string> {
  serverBuild ??= alone(() => run(root, ["--input-type=module", "--eval", BUILD_SERVER]));
  await serverBuild;
  return join(root, "examples/standalone/main.mjs");
}

/** One of the other examples, with the packages that it depends on. @returns its main file */
export async function builtExample(name: string): Promise<string> {
  const folder = join(root, "examples", name);
  await builtServer();
  await alone(() => run(folder, [join(root, "node_modules/tsup/dist/cli-default.js")]));
  return join(folder, "dist/main.js");
}

async function run(folder: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += String(chunk);
    });
  }
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the build failed with ${String(code)}:\n${output}`);
}

/** Test files run at the same time, and a build empties folders that another build reads. */
async function alone(work: () => Promise<void>): Promise<void> {
  mkdirSync(dirname(lock), { recursive: true });
  while (!take()) await pause(50);
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** The lock is a file with the pid of its owner. */
function take(): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (isAbandoned()) rmSync(lock, { force: true });
    return false;
  }
}

/** A process that is killed leaves its lock behind. */
function isAbandoned(): boolean {
  try {
    process.kill(Number(readFileSync(lock, "utf8")), 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}
