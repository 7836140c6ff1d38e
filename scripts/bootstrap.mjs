// Behind `npm start`, `npm run demo` and `npm test`: works from a bare checkout with nothing but Node and npm, and uses Node's own
// modules only, since it runs before anything is installed.
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildServer } from "./build.mjs";
import { install } from "./install.mjs";
import { root, runPnpm } from "./pnpm.mjs";

const [command, ...args] = process.argv.slice(2);

if (command === "start") await runHere("examples/standalone/main.mjs");
else if (command === "demo") await runHere("packages/cli/dist/main.js", "demo", "--serve");
else if (command === "test") test();
else if (command === "run") run();
else {
  console.error("Usage: node scripts/bootstrap.mjs start | demo | test [vitest arguments] | run <script>");
  process.exitCode = 2;
}

/** The program is imported, not spawned, so that signals reach it and its exit code is this process's. */
async function runHere(path, ...first) {
  install();
  const status = buildServer();
  if (status !== 0) process.exit(status);
  const main = join(root, path);
  process.argv.splice(1, 2, main, ...first);
  await import(pathToFileURL(main).href);
}

/** All tests with a report, or only those that the arguments choose. */
function test() {
  install();
  const report = join(root, ".report/vitest.json");
  const reporters = ["default", "json", "./scripts/stray-errors.mjs"].map((name) => `--reporter=${name}`);
  const everything = [...reporters, `--outputFile.json=${report}`];
  if (args.length === 0) {
    for (const name of ["vitest.json", "stray-errors.json"]) rmSync(join(root, ".report", name), { force: true });
    mkdirSync(join(root, ".report"), { recursive: true });
  }
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", ...(args.length === 0 ? everything : args)], {
    cwd: root,
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}

/** A script of the root package.json, where pnpm may not be on PATH. */
function run() {
  install();
  process.exitCode = runPnpm("run", ...args);
}
