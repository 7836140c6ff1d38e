// Bundles the simulation with the sources of the product, so that timers are virtual and patches can be laid over files.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const here = join(root, "simulation");
const { resolve: resolveDriver } = createRequire(join(root, "packages/store-sqlite/package.json"));

/** Writes the program to `outfile`. `overlay` maps paths from the root of the repository to other contents. */
export async function bundle(outfile, overlay = new Map()) {
  const changed = new Map([...overlay].map(([path, text]) => [resolve(root, path), text]));
  await build({
    entryPoints: [join(here, "main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    tsconfig: join(root, "tsconfig.json"),
    inject: [join(here, "virtual-timers.ts")],
    alias: {
      "node:timers/promises": join(here, "virtual-timers-promises.ts"),
      undici: join(here, "network.ts"),
    },
    define: { "process.env.SIMULATION_SQLITE_DRIVER": JSON.stringify(resolveDriver("better-sqlite3")) },
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    logLevel: "error",
    plugins: [
      {
        name: "overlay",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: resolveDriver("better-sqlite3"), external: true }));
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
