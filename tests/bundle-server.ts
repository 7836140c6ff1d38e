import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The cost of hashing a password: half a second each time in what is published. A hash names its own cost. */
const PASSWORD_COST = { published: "DEFAULT_COST = 2 ** 17;", here: "DEFAULT_COST = 2 ** 4;" };

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

/**
 * Bundles what the build made of the standalone server, with all that it imports, into a few files: they start in two
 * thirds of the time. The main file is `dist/main.mjs` in the folder.
 */
export async function bundleServer(folder: string): Promise<void> {
  const dist = join(folder, "dist");
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: [join(root, "examples/standalone/main.mjs")],
    outdir: dist,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    tsconfigRaw: {}, // the paths of the repository's lead to sources
    metafile: true,
    logLevel: "error",
    plugins: [plugin],
  });
  const outputs = Object.keys(metafile.outputs).map((path) => readFileSync(path, "utf8"));
  if (!outputs.some((code) => code.includes(PASSWORD_COST.here))) throw new Error("found no cost of passwords");
  cpSync(join(root, "packages/reference/dist/viewer"), join(dist, "viewer"), { recursive: true });
  cpSync(join(root, "packages/pdf/fonts"), join(folder, "fonts"), { recursive: true });
}
