// Compares what a program loads from a built package with a budget: the main entry with everything that it imports
// statically, bundled, minified and gzipped, without the package's dependencies. Modules behind `import()` are listed
// apart. Another entry, such as @budgetkit/core/pricing, is for browsers and includes its dependencies. Of a page, the
// scripts that its document names count. The budgets, in bytes, are in size-budgets.json.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { root } from "./pnpm.mjs";

const FOR_NODE = { platform: "node", packages: "external" };
const FOR_BROWSERS = { platform: "browser", packages: "bundle" };

const budgets = JSON.parse(readFileSync(join(root, "scripts/size-budgets.json"), "utf8"));
for (const [name, budget] of Object.entries(budgets)) {
  const [, folder, entry] = name.split("/");
  if (entry === "app") {
    const firstLoad = firstLoadOf(join(root, "packages", folder, "dist/app"));
    console.log(`${name}: ${kB(firstLoad)} of ${kB(budget)} with the first load`);
    if (firstLoad > budget) process.exitCode = 1;
    continue;
  }
  const options = entry === undefined ? FOR_NODE : FOR_BROWSERS;
  const { atOnce, later } = await sizesOf(join(root, "packages", folder, "dist", `${entry ?? "index"}.js`), options);
  const rest = later > 0 ? `, and ${kB(later)} more when it is asked for` : "";
  console.log(`${name}: ${kB(atOnce)} of ${kB(budget)}${rest}`);
  if (atOnce > budget) process.exitCode = 1;
}

async function sizesOf(entry, options) {
  const { metafile, outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    ...options,
    absWorkingDir: root,
    outdir: "bundle",
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const bytes = new Map(outputFiles.map(({ path, contents }) => [path, gzipSync(contents).byteLength]));
  const [main] = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint && join(root, entryPoint) === entry,
  );
  const first = reachedFrom(main, metafile.outputs);
  const sum = (paths) => paths.reduce((total, path) => total + bytes.get(join(root, path)), 0);
  return { atOnce: sum([...first]), later: sum(Object.keys(metafile.outputs).filter((path) => !first.has(path))) };
}

/** Bytes of the script and of all that it imports statically, which the document of a built page names, by Brotli. */
function firstLoadOf(folder) {
  const named = readFileSync(join(folder, "index.html"), "utf8").matchAll(/(?:src|href)="([^"]+\.js)"/g);
  const scripts = [...named].map(([, path]) => readFileSync(join(folder, `${path}.br`)).byteLength);
  if (scripts.length === 0) throw new Error(`${folder}/index.html names no script`);
  return scripts.reduce((total, bytes) => total + bytes, 0);
}

/** An output and those that it imports, and so on, apart from what is imported later. */
function reachedFrom(path, outputs, reached = new Set()) {
  if (reached.has(path)) return reached;
  reached.add(path);
  for (const { path: next, kind, external } of outputs[path].imports) {
    if (kind === "import-statement" && !external) reachedFrom(next, outputs, reached);
  }
  return reached;
}

function kB(bytes) {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
