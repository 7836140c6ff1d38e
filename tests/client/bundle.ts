import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { temporaryFolder } from "../programs/running-program.js";

const source = (name: string) => fileURLToPath(new URL(`../../packages/client/src/${name}.ts`, import.meta.url));

/** A program (TypeScript) with what it uses of the client in one file: a minified script for browsers, or a module. */
export async function bundle(code: string, format: "iife" | "es" = "iife"): Promise<string> {
  const entry = join(temporaryFolder(), "program.ts");
  writeFileSync(entry, code);
  const [output] = [
    await build({
      configFile: false,
      logLevel: "silent",
      resolve: {
        alias: [
          { find: /^@budgetkit\/client$/, replacement: source("index") },
          { find: /^@budgetkit\/client\/evidence$/, replacement: source("evidence") },
          { find: /^@budgetkit\/client\/webhooks$/, replacement: source("webhooks") },
        ],
      },
      build: { write: false, minify: true, lib: { entry, formats: [format], name: "program" } },
    }),
  ].flat();
  const chunk = output !== undefined && "output" in output ? output.output[0] : undefined;
  if (chunk === undefined) throw new Error("nothing was bundled");
  return chunk.code;
}
