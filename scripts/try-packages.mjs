// Unpacks packed packages as an installation would, and uses them: an ESM and a CommonJS application, their types by both
// resolutions of TypeScript, three test runners, and the command line. What the packages depend on comes from the workspace, so that nothing
// is fetched. Usage: node scripts/try-packages.mjs <folder of the tarballs>
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { compileFunction } from "node:vm";
import { root } from "./pnpm.mjs";
import { packageFolders } from "./workspace.mjs";

const [tarballs = ""] = process.argv.slice(2);
const project = mkdtempSync(join(tmpdir(), "budgetkit-try-"));
const modules = join(project, "node_modules");
try {
  const manifests = readdirSync(tarballs).map((file) => install(join(tarballs, file)));
  for (const manifest of manifests) checkContents(manifest);
  for (const folder of packageFolders) linkDependencies(folder);
  for (const manifest of manifests) checkInstalled(manifest, join(modules, manifest.name));
  for (const manifest of manifests) checkCommonJs(manifest);
  link("@types/node", root);
  checkTypes();
  checkProgram("out/hono-app.mjs");
  checkProgram("out/express-app.cjs");
  checkTestRunners();
  checkCommandLine(manifests.find(({ name }) => name === "@budgetkit/cli"));
} finally {
  rmSync(project, { recursive: true, force: true });
}

/** Unpacks a tarball to where it is imported from. */
function install(tarball) {
  const unpacked = join(project, "unpacked");
  mkdirSync(unpacked, { recursive: true });
  run("tar", ["-xzf", tarball, "-C", unpacked]);
  const manifest = JSON.parse(readFileSync(join(unpacked, "package/package.json"), "utf8"));
  mkdirSync(join(modules, "@budgetkit"), { recursive: true });
  cpSync(join(unpacked, "package"), join(modules, manifest.name), { recursive: true });
  rmSync(unpacked, { recursive: true });
  return manifest;
}

/** A tarball holds only built files and their documents, and no path of the machine that built it. */
function checkContents({ name }) {
  const folder = join(modules, name);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  for (const path of paths) {
    if (
      !/^(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/.+|fonts\/.+|worker\/.+|vectors\/.+)$/.test(path) ||
      /\.map$|\.test\./.test(path)
    )
      fail(`${name} has ${path} in it`);
    if (readFileSync(join(folder, path)).includes(root)) fail(`${path} of ${name} names a folder of this machine`);
  }
  for (const path of ["README.md", "LICENSE"]) if (!paths.includes(path)) fail(`${name} is without ${path}`);
}

/** An installation brings no bundler along, directly or as an optional dependency of a dependency. */
function checkInstalled({ name, dependencies, optionalDependencies }, folder, seen = new Set()) {
  for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) {
    if (/(^|\/)(rollup|esbuild|webpack)/.test(next)) fail(`${name} installs ${next}`);
    const found = findInstalled(next, folder);
    if (found === null || seen.has(found)) continue;
    seen.add(found);
    checkInstalled(JSON.parse(readFileSync(join(found, "package.json"), "utf8")), found, seen);
  }
}

/** The CommonJS build loads nothing that is an ES module alone: Node can require such a package, Jest cannot. */
function checkCommonJs({ name, dependencies }) {
  const dist = join(modules, name, "dist");
  const built = readdirSync(dist, { recursive: true }).filter((file) => file.endsWith(".cjs"));
  const texts = built.map((file) => readFileSync(join(dist, file), "utf8"));
  for (const text of texts) compileFunction(text.replace(/^#!.*/, "")); // also what is loaded later
  const code = texts.join("\n");
  for (const next of Object.keys({ ...dependencies })) {
    if (next.startsWith("@budgetkit/")) continue;
    const isLoaded = code.includes(`require("${next}")`) || code.includes(`import("${next}")`);
    if (isLoaded && isEsModule(createRequire(join(dist, "index.cjs")).resolve(next))) {
      fail(`the CommonJS build of ${name} loads ${next}, which has no CommonJS`);
    }
  }
}

function isEsModule(path) {
  if (!path.endsWith(".js")) return path.endsWith(".mjs");
  let folder = dirname(path);
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).type === "module";
}

/** The folder of a package as Node finds it from another one; null = not installed on this platform. */
function findInstalled(name, folder) {
  for (let place = folder; place !== dirname(place); place = dirname(place)) {
    const found = join(place, "node_modules", name);
    if (existsSync(found)) return realpathSync(found);
  }
  return null;
}

function linkDependencies(folder) {
  const { dependencies, peerDependencies, devDependencies } = JSON.parse(
    readFileSync(join(root, folder, "package.json"), "utf8"),
  );
  const types = Object.keys({ ...devDependencies }).filter((name) => name.startsWith("@types/"));
  for (const name of [...Object.keys({ ...dependencies, ...peerDependencies }), ...types]) {
    if (!name.startsWith("@budgetkit/")) link(name, join(root, folder));
  }
}

function link(name, folder) {
  const path = join(modules, name);
  const installed = findInstalled(name, folder); // the SQLite driver may be that of the root
  if (existsSync(path) || installed === null) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(installed, path, "dir");
}

function checkTypes() {
  cpSync(join(root, "scripts/consumer"), project, { recursive: true });
  const tsc = join(root, "node_modules/typescript-native/bin/tsc");
  const strict = { strict: true, exactOptionalPropertyTypes: true, target: "ES2022", types: ["node"] };
  const projects = {
    "nodenext.json": { compilerOptions: { ...strict, module: "NodeNext", outDir: "out" }, include: ["*.mts", "*.cts"] },
    "bundler.json": {
      compilerOptions: { ...strict, module: "ESNext", moduleResolution: "Bundler", noEmit: true },
      include: ["*.mts"],
    },
  };
  for (const [file, content] of Object.entries(projects)) {
    writeFileSync(join(project, file), JSON.stringify(content));
    run(process.execPath, [tsc, "-p", file]);
  }
}

function checkProgram(path) {
  const said = JSON.parse(run(process.execPath, [path]));
  const { total, openapi, page, imported } = said;
  const isRight =
    total === 544.5 && openapi === "3.1.0" && page === 200 && imported.every((type) => type === "function");
  if (!isRight) fail(`${path} says ${JSON.stringify(said)}`);
}

/** The runners that hosts use, on a program in CommonJS. */
function checkTestRunners() {
  const tests = "tests/everyday";
  writeFileSync(join(project, "package.json"), JSON.stringify({ jest: { testMatch: ["**/*.jest.cjs"] } }));
  const vitest = `export default { test: { include: ["${tests}.vitest.mjs"] } };`;
  writeFileSync(join(project, "vitest.config.mjs"), vitest);
  link("vitest", root);
  run(process.execPath, [
    join(root, "node_modules/jest/bin/jest.js"),
    "--rootDir",
    project,
    "--ci",
    "--testTimeout=120000",
  ]);
  run(process.execPath, [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--root",
    project,
    "--testTimeout=120000",
  ]);
  run(process.execPath, ["--test", `${tests}.node.cjs`]);
}

/** What is wrong with an installation is named, and what was refused is no success. */
function checkCommandLine({ name, bin }) {
  const program = join(modules, name, bin.budgetkit);
  const environment = { BUDGETKIT_SECRET: "short", DATABASE_URL: "mysql://localhost" };
  const { status, stdout } = spawnSync(process.execPath, [program, "doctor"], {
    cwd: project,
    env: environment,
    encoding: "utf8",
  });
  for (const variable of Object.keys(environment)) {
    if (!new RegExp(`^wrong +${variable}: `, "m").test(stdout)) fail(`doctor does not name ${variable}:\n${stdout}`);
  }
  if (status !== 1) fail(`doctor ends with ${status}`);
}

/** Gives the output. */
function run(file, args) {
  const { status, stdout, stderr, error } = spawnSync(file, args, { cwd: project, encoding: "utf8" });
  if (status !== 0) throw new Error(`${file} ${args.join(" ")} failed:\n${error ?? ""}${stdout}${stderr}`);
  return stdout;
}

function fail(what) {
  throw new Error(what);
}
