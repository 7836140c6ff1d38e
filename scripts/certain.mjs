// Runs `npm test` several times (default 10), the second half beside four processes that keep both cores busy, and prints
// the time and the failures of each run. `node scripts/certain.mjs 4` makes four runs. Exits with 1 if any run failed. The
// output of the last failed run is kept in .report/failed-run.log.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./pnpm.mjs";

const BURNERS = 4;
const report = join(root, ".report/vitest.json");
const log = join(root, ".report/run.log");
const failedLog = join(root, ".report/failed-run.log");
const runs = Number(process.argv[2] ?? 10);
const children = new Set();
let failedRuns = 0;

process.on("exit", () => {
  for (const child of children) child.kill();
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

for (let run = 1; run <= runs; run += 1) {
  const isBusy = run > runs / 2;
  const burners = Array.from({ length: isBusy ? BURNERS : 0 }, () => start(["--eval", "for (;;);"]));
  const startedAt = performance.now();
  const code = await test();
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  for (const burner of burners) burner.kill();
  const failures = code === 0 ? [] : namesOfFailures();
  if (code !== 0) {
    failedRuns += 1;
    renameSync(log, failedLog);
  }
  console.log(`run ${run} of ${runs}${isBusy ? ", busy" : ""}: ${seconds} s, ${code === 0 ? "passed" : "failed"}`);
  for (const name of failures) console.log(`  ${name}`);
}
console.log(`${failedRuns} of ${runs} runs failed`);
process.exitCode = failedRuns === 0 ? 0 : 1;

/** Runs all tests, with their output in a file. Resolves to the exit code. */
async function test() {
  mkdirSync(dirname(log), { recursive: true });
  const [code] = await once(start([join(root, "scripts/bootstrap.mjs"), "test"], openSync(log, "w")), "exit");
  return code;
}

/** A child process, which ends with this one. */
function start(args, output = "ignore") {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", output, output] });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** The failed tests of the last report, and the files that could not be loaded. */
function namesOfFailures() {
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8"));
    const failed = testResults.filter(({ status }) => status === "failed");
    return failed.flatMap(({ name, message, assertionResults }) => {
      const titles = assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
      return (titles.length > 0 ? titles : [message]).map((title) => `${name.slice(root.length)}: ${title}`);
    });
  } catch {
    return ["no report was written"];
  }
}
