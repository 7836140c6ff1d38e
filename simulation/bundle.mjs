// Bundles the simulation with the sources of the product, with virtual timers and, for planted bugs, patched files.
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const here = join(root, "simulation");

/**
 * Writes the program to `outfile`, and beside it a link to the installed packages, where the store finds its driver.
 * `overlay` replaces the contents of files, by their paths from the root of the repository.
 */
export async function bundle(outfile, overlay = new Map()) {
  const changed = new Map([...overlay].map(([path, text]) => [resolve(root, path), text]));
  const modules = join(dirname(outfile), "node_modules");
  if (!existsSync(modules)) symlinkSync(join(root, "node_modules"), modules, "dir");
  await build({
    entryPoints: [join(here, "main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    tsconfig: join(root, "tsconfig.json"),
    inject: [join(here, "engine/virtual-timers.ts")],
    alias: {
      "node:timers/promises": join(here, "engine/virtual-timers-promises.ts"),
      undici: join(here, "engine/network.ts"),
    },
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    logLevel: "error",
    plugins: [
      {
        name: "overlay",
        setup({ onLoad }) {
          if (changed.size === 0) return;
          onLoad({ filter: /\.ts$/ }, ({ path }) => ({
            contents: changed.get(path) ?? readFileSync(path, "utf8"),
            loader: "ts",
          }));
        },
      },
    ],
  });
}
