import { defineConfig, type Options } from "tsup";

type Entry = NonNullable<Options["entry"]>;
type Extras = Pick<Options, "shims" | "onSuccess">;

/** A package for npm: ESM and CommonJS, with types for each. */
export function library(entry: Entry, extras: Extras = {}) {
  return defineConfig({
    entry,
    format: ["esm", "cjs"],
    target: "node20",
    // CommonJS too: entries of one package must share their classes and caches.
    splitting: true,
    clean: true,
    dts: {
      compilerOptions: {
        ignoreDeprecations: "6.0", // tsup sets baseUrl, which TypeScript 6 warns about
        paths: {}, // published types are built against published types
      },
    },
    ...extras,
  });
}

/** A program of this repository: run from its folder, never published. */
export function program(entry: Entry) {
  return defineConfig({ entry, format: ["esm"], target: "node20", sourcemap: true, clean: true });
}
