import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Options } from "tsup";

type Entry = NonNullable<Options["entry"]>;
type Plugin = NonNullable<Options["esbuildPlugins"]>[number];
interface Extras extends Pick<Options, "shims" | "onSuccess"> {
  /** Dependencies without CommonJS, which the CommonJS build includes: Node can require them, but Jest cannot. */
  readonly esmOnly?: string[];
}

/** A package for npm: ESM and CommonJS, with types for each. */
export function library(entry: Entry, { esmOnly = [], ...extras }: Extras = {}) {
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
    noExternal: esmOnly,
    esbuildPlugins: [externalInEsm(esmOnly)],
    ...extras,
  });
}

/** Keeps dependencies out of the ESM build, and copies the licenses of those that the CommonJS build includes. */
function externalInEsm(names: readonly string[]): Plugin {
  return {
    name: "external-in-esm",
    setup({ initialOptions: options }) {
      if (options.define?.TSUP_FORMAT !== '"cjs"') {
        options.external = [...(options.external ?? []), ...names];
        return;
      }
      // tsup makes CommonJS by sucrase, which breaks the fields of a class whose constructor is one expression.
      options.supported = { ...options.supported, "class-field": false, "class-static-field": false };
      for (const name of names) {
        mkdirSync("dist/licenses", { recursive: true });
        cpSync(join("node_modules", name, "LICENSE.md"), join("dist/licenses", `${name}.md`));
      }
    },
  };
}

/** A program of this repository: run from its folder, never published. */
export function program(entry: Entry) {
  const external = ["better-sqlite3"]; // native; tsup itself leaves out dependencies, but no optional ones
  return defineConfig({ entry, format: ["esm"], target: "node20", sourcemap: true, clean: true, external });
}
