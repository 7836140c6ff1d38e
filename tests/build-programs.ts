import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const lock = join(root, "node_modules/.cache/budgetkit/test-build.lock");
const BUILD_SERVER = "import { buildServer } from './scripts/build.mjs'; process.exit(buildServer());";

/** The standalone server as `npm start` would run it. @returns its main file */
export async function builtServer(): Promise<string> {
  await alone(() => run(root, ["--input-type=module", "--eval", BUILD_SERVER]));
  return join(root, "examples/standalone/main.mjs");
}

/** One of the other examples, with the packages that it stands on. @returns its main file */
export async function builtExample(name: string): Promise<string> {
  const folder = join(root, "examples", name);
  await builtServer();
  await alone(() => run(folder, [join(root, "node_modules/tsup/dist/cli-default.js")]));
  return join(folder, "dist/main.js");
}

async function run(folder: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      said += String(chunk);
    });
  }
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`the build failed with ${String(code)}:\n${said}`);
}

const LONGEST_BUILD_MS = 120_000;

/** Test files run side by side, and a build empties folders that another one reads. */
async function alone(work: () => Promise<void>): Promise<void> {
  mkdirSync(dirname(lock), { recursive: true });
  while (!take()) await pause(50);
  try {
    await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function take(): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    if (isAbandoned()) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

function isAbandoned(): boolean {
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  return since !== undefined && Date.now() - since > LONGEST_BUILD_MS;
}
