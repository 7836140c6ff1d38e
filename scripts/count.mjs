// Ends a CI run: adds up the tests and the checks, prints one line, and exits with 1 when any failed.
// Usage: node scripts/count.mjs <exit code of the tests> <exit code of the checks>
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./pnpm.mjs";

const [testStatus, checkStatus] = process.argv.slice(2).map(Number);
const total = { passed: 0, failed: 0, skipped: 0 };

const tests = readReport("vitest.json")?.testResults ?? [];
for (const file of tests) {
  for (const { status, fullName } of file.assertionResults) {
    if (status === "passed") total.passed += 1;
    else if (status === "failed") fail(`${file.name.slice(root.length)}: ${fullName}`);
    else total.skipped += 1;
  }
  const failsAlone = file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed");
  if (failsAlone) fail(`${file.name.slice(root.length)}, which could not be loaded`);
}
for (const error of readReport("stray-errors.json") ?? []) console.log(`Outside the tests: ${error}`);
// An error between tests, or no test at all, fails a run without a failed test.
if (testStatus !== 0 && total.failed === 0) fail("the test run (an error outside the tests)");
else if (tests.length === 0) fail("the test run (no report)");

const checks = readReport("check.json") ?? [];
const failedChecks = checks.filter((check) => !check.passed);
total.passed += checks.length - failedChecks.length;
for (const check of failedChecks) fail(check.name);
if (checkStatus !== 0 && failedChecks.length === 0) fail("the checks (they did not finish)");
else if (checks.length === 0) fail("the checks (no report)");

console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
process.exitCode = total.failed > 0 ? 1 : 0;

function fail(what) {
  total.failed += 1;
  console.log(`Failed: ${what}`);
}

function readReport(name) {
  try {
    return JSON.parse(readFileSync(join(root, ".report", name), "utf8"));
  } catch {
    return undefined;
  }
}
