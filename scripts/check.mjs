// All checks apart from the tests. `pnpm check` runs all of them, `pnpm check lint types` some.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install } from "./install.mjs";
import { findPnpm, root } from "./pnpm.mjs";
import { packageFolders } from "./workspace.mjs";

const bin = (path) => [process.execPath, join(root, "node_modules", path)];
const steps = {
  lint: () =>
    check("format and lint", [...bin("@biomejs/biome/bin/biome"), "ci", "--error-on-warnings", "--colors=off", "."]),
  types: () =>
    Promise.all([
      check("types", [...bin("typescript-native/bin/tsc"), "-p", "tsconfig.json"]),
      check("types of the dashboard's screens", [...bin("typescript-native/bin/tsc"), "-p", "packages/dashboard/app"]),
    ]),
  limits: () => check("limits of size", [process.execPath, "scripts/check-limits.mjs"]),
  titles: () => check("titles of tests", [process.execPath, "scripts/check-titles.mjs"]),
  conflicts: () => check("conflict markers", [process.execPath, "scripts/check-conflicts.mjs"]),
  deadcode: () => check("dead code", [...bin("knip/bin/knip.js"), "--no-progress"]),
  // Fails on a dead link and on a page that the sidebar lacks.
  site: () => check("site", [...bin("vitepress/bin/vitepress.js"), "build", "site"]),
  packages: checkPackages,
  openapi: checkOpenApi,
};
let building = null; // the build that all steps share; null = not started

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in steps));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. There are: ${Object.keys(steps).join(", ")}.`);
  process.exit(2);
}

install();
const names = wanted.length > 0 ? wanted : Object.keys(steps);
const results = (await Promise.all(names.map((name) => steps[name]()))).flat();
if (wanted.length === 0) {
  mkdirSync(join(root, ".report"), { recursive: true });
  writeFileSync(join(root, ".report/check.json"), `${JSON.stringify(results, null, 2)}\n`);
}
const failed = results.filter((result) => !result.passed);
console.log(`\n${results.length - failed.length} of ${results.length} checks passed.`);
if (failed.length > 0) console.log(`Failed: ${failed.map((result) => result.name).join(", ")}`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** Runs one tool and reports whether it passed. Prints its output in one piece when it failed, or when `prints` is set. */
function check(name, [file, ...args], { prints = false } = {}) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    const output = [];
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => output.push(chunk));
    child.on("error", (error) => output.push(Buffer.from(String(error))));
    child.on("close", (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`\n${code === 0 ? "passed" : "FAILED"}: ${name} (${seconds} s)`);
      if (code !== 0 || prints) process.stdout.write(Buffer.concat(output));
      resolve({ name, passed: code === 0 });
    });
  });
}

function build() {
  building ??= check("build", [process.execPath, "scripts/build.mjs"]);
  return building;
}

/** Lints the OpenAPI document that the built service serves. */
async function checkOpenApi() {
  const built = await build();
  return built.passed ? [await check("openapi", [process.execPath, "scripts/lint-openapi.mjs"])] : [built];
}

/** Builds the packages, compares their sizes with the budgets, packs them as for npm, and checks the tarballs. */
async function checkPackages() {
  const built = await build();
  if (!built.passed) return [built];
  const sizes = check("sizes", [process.execPath, "scripts/check-sizes.mjs"], { prints: true });
  const tarballs = mkdtempSync(join(tmpdir(), "budgetkit-pack-"));
  try {
    const filters = packageFolders.flatMap((folder) => ["--filter", `./${folder}`]);
    const pack = await check("pack", [
      ...findPnpm(),
      ...filters,
      "--recursive",
      "pack",
      "--pack-destination",
      tarballs,
    ]);
    const checks = readdirSync(tarballs).flatMap((file) => [
      check(`publint ${file}`, [...bin("publint/src/cli.js"), "--strict", join(tarballs, file)]),
      // Only Node 10 ignores the exports map, and it is not supported.
      check(`attw ${file}`, [
        ...bin("@arethetypeswrong/cli/dist/index.js"),
        "--profile",
        "node16",
        join(tarballs, file),
      ]),
    ]);
    checks.push(check("an application of the packages", [process.execPath, "scripts/try-packages.mjs", tarballs]));
    return [built, pack, ...(await Promise.all([sizes, ...checks]))];
  } finally {
    rmSync(tarballs, { recursive: true, force: true });
  }
}
