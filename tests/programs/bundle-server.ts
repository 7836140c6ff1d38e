import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The cost of hashing a password: half a second each time in what is published. A hash names its own cost. */
const PASSWORD_COST = { published: "DEFAULT_COST = 2 ** 17;", here: "DEFAULT_COST=2**4;" };

const plugin: Plugin = {
  name: "program of tests",
  setup: ({ onResolve, onLoad, resolve }) => {
    onResolve({ filter: /./ }, async ({ kind, path, resolveDir, pluginData }) => {
      if (pluginData === RESOLVING || kind === "entry-point") return undefined;
      const found = await resolve(path, { resolveDir, kind, pluginData: RESOLVING });
      return { ...found, external: found.external || isCommonJs(found.path) };
    });
    onLoad({ filter: /\/packages\/core\/dist\/[^/]+\.js$/ }, async ({ path }) => {
      const code = await readFile(path, "utf8");
      return { contents: code.replace(PASSWORD_COST.published, PASSWORD_COST.here), loader: "js" };
    });
  },
};

const RESOLVING = "resolving";

/** Such a package stays outside: in a bundle, some have no named exports, and drivers lose their way to their binaries. */
function isCommonJs(path: string): boolean {
  if (!path.startsWith("/")) return false;
  if (path.endsWith(".cjs") || path.endsWith(".mjs")) return path.endsWith(".cjs");
  let folder = dirname(path);
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).type !== "module";
}

/** In a bundle of CommonJS a module has no URL of its own, and finds the files beside it by that of the bundle. */
const MODULE_URL = "bundleUrl";

/** Runs the bundle with the code that V8 has kept of it. Without such code, or with that of another V8, it compiles. */
const LOADER = `
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname, join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { Script } = require("node:vm");
function run(filename, kept) {
  const head = "(function (exports, require, module, __filename, __dirname, ${MODULE_URL}) { 'use strict';";
  const cachedData = existsSync(kept) ? readFileSync(kept) : undefined;
  const script = new Script(head + readFileSync(filename, "utf8") + "\\n})", { filename, cachedData });
  const bundle = { exports: {} };
  const url = pathToFileURL(filename).href;
  script.runInThisContext()(bundle.exports, createRequire(filename), bundle, filename, dirname(filename), url);
  return script;
}
`;

const MAIN = `${LOADER}run(join(__dirname, "server.cjs"), join(__dirname, "server.code"));\n`;

/** Starts the server, keeps the code that this took, and ends. */
const KEEP_CODE = `${LOADER}
const [, filename, kept] = process.argv.splice(0, 3, "node", "main");
const script = run(filename, kept);
process.stdout.write = (text) => {
  if (!text.includes("listens on")) return true;
  writeFileSync(kept, script.createCachedData());
  process.exit(0);
};`;

/**
 * Bundles what the build made of the standalone server, with all that it imports, into one file, and keeps the code that
 * V8 makes of it: so the server starts in half of the time. The main file is `dist/main.cjs` in the folder.
 */
export async function bundleServer(folder: string): Promise<void> {
  const dist = join(folder, "dist");
  const server = join(dist, "server.cjs");
  rmSync(folder, { recursive: true, force: true });
  await build({
    entryPoints: [join(root, "examples/standalone/main.mjs")],
    outfile: server,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    tsconfigRaw: {}, // the paths of the repository's lead to sources
    define: { "import.meta.url": MODULE_URL },
    supported: { "dynamic-import": false },
    minifyWhitespace: true,
    logLevel: "error",
    plugins: [plugin],
  });
  if (!readFileSync(server, "utf8").includes(PASSWORD_COST.here)) throw new Error("found no cost of passwords");
  cpSync(join(root, "packages/reference/dist/viewer"), join(dist, "viewer"), { recursive: true });
  const page = join(root, "packages/dashboard/dist/app");
  if (existsSync(page)) cpSync(page, join(dist, "app"), { recursive: true });
  cpSync(join(root, "packages/pdf/fonts"), join(folder, "fonts"), { recursive: true });
  symlinkSync(join(root, "packages/pdf/worker"), join(folder, "worker"), "dir"); // finds its libraries from there
  const environment = { PATH: process.env.PATH, PORT: "0", DATABASE_URL: "memory:" };
  execFileSync(process.execPath, ["--eval", KEEP_CODE, server, join(dist, "server.code")], {
    env: environment,
    timeout: 60_000,
  });
  writeFileSync(join(dist, "main.cjs"), MAIN);
}
