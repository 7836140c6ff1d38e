// Counts the source files that a POST of a budget with an Idempotency-Key runs, from Hono to SQLite and back.
// Usage: node scripts/count-files-run.mjs [--list]
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { transform } from "esbuild";
import { root } from "./pnpm.mjs";

const PACKAGES = ["core", "store-sqlite", "adapter-hono"];
const WARM_UP_CALLS = 20; // loads what the first calls load, and fills the caches

const { values } = parseArgs({ options: { list: { type: "boolean", default: false } } });
const folder = mkdtempSync(join(tmpdir(), "count-files-run-"));
try {
  const files = await filesRun();
  const total = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  console.log(`${total} files: ${[...files].map(([name, { length }]) => `${name} ${length}`).join(", ")}`);
  if (values.list) for (const [name, paths] of files) console.log([`\n${name}`, ...paths].join("\n  "));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The paths of the files that the measured request runs, by package. */
async function filesRun() {
  const modules = join(folder, "node_modules");
  linkDependencies(modules);
  const texts = new Map();
  for (const name of PACKAGES) await transpile(name, join(modules, "@budgetkit", name), texts);
  const { post, stop } = await startService(modules);
  for (let call = 0; call < WARM_UP_CALLS; call += 1) await post();
  const scripts = await coverageOf(post);
  await stop();
  const ran = scripts
    .filter(({ url }) => url.startsWith("file:"))
    .map(({ url, functions }) => ({ path: fileURLToPath(url), functions }))
    .filter(({ path, functions }) => functions.some((each) => isRun(each, texts.get(path))))
    .map(({ path }) => path);
  return new Map(
    PACKAGES.map((name) => {
      const sources = join(modules, "@budgetkit", name, "src/");
      const own = ran.filter((path) => path.startsWith(sources));
      return [name, own.map((path) => path.slice(sources.length).replace(/js$/, "ts")).sort()];
    }),
  );
}

/** The top level of a module is the function that spans the whole file. */
function isRun({ ranges: [{ startOffset, endOffset, count }] }, text = "") {
  return count > 0 && !(startOffset === 0 && endOffset === text.length);
}

/** Links what the packages depend on from outside of this repository. */
function linkDependencies(modules) {
  mkdirSync(modules);
  for (const name of PACKAGES) {
    const installed = join(root, "packages", name, "node_modules");
    for (const entry of readdirSync(installed)) {
      if (!["@budgetkit", "@types"].includes(entry)) symlinkSync(join(installed, entry), join(modules, entry));
    }
  }
  symlinkSync(join(root, "node_modules/better-sqlite3"), join(modules, "better-sqlite3"));
}

/** Writes each source as a JavaScript file of its own, since a bundle would hide the files. */
async function transpile(name, target, texts) {
  const sources = join(root, "packages", name, "src");
  const paths = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((path) =>
    /^(?!testing\/|.*\/testing\/|.*\.test\.ts$).*\.ts$/.test(path.replaceAll("\\", "/")),
  );
  for (const path of paths) {
    const { code } = await transform(readFileSync(join(sources, path), "utf8"), { loader: "ts", target: "node20" });
    const file = join(target, "src", path.replace(/ts$/, "js"));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
    texts.set(file, code);
  }
  const { exports, type } = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  const entries = name === "core" ? "./src/entries" : "./src";
  const sourceOf = (entry) => `${entries}/${entry === "." ? "index" : entry.slice(2)}.js`;
  const ours = Object.keys(exports).filter((entry) => !entry.endsWith(".json"));
  const manifest = { name: `@budgetkit/${name}`, type, exports: Object.fromEntries(ours.map((e) => [e, sourceOf(e)])) };
  writeFileSync(join(target, "package.json"), JSON.stringify(manifest));
}

/** A service on a SQLite file, and a function that posts one budget to it. */
async function startService(modules) {
  const load = (path) => import(pathToFileURL(join(modules, "@budgetkit", path)).href);
  const { createBudgetService } = await load("core/src/entries/index.js");
  const { sqliteStore } = await load("store-sqlite/src/index.js");
  const { budgetkitHono } = await load("adapter-hono/src/index.js");
  const store = sqliteStore(join(folder, "budgets.db"));
  const service = createBudgetService({ store, secret: "only for the count of the files that run" });
  await service.start();
  const { id: businessId } = (await service.businesses.create({ name: "Carpentry" }))._unsafeUnwrap();
  const settings = { name: "Shop", scopes: ["READ_BUDGETS", "WRITE_BUDGETS"], rateLimitPerHour: 1_000 };
  const { key } = (await service.keys.create({ kind: "system", businessId }, settings))._unsafeUnwrap();
  const app = budgetkitHono(service);
  const items = [{ description: "Oak table", quantity: 2, unitPrice: 450 }];
  const body = JSON.stringify({ customerId: "ana", items, taxRate: 0.21 });
  return {
    post: async () => {
      const headers = {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
      };
      const response = await app.request("/api/public/budgets", { method: "POST", headers, body });
      if (response.status !== 201) throw new Error(`The answer is ${response.status}: ${await response.text()}`);
      await response.text();
    },
    stop: async () => {
      await service.stop();
      await store.close();
    },
  };
}

/** How often each function ran during the call, until its answer is read. */
async function coverageOf(call) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage"); // resets the counters
  await call();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  return result;
}
