import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { temporaryFolder } from "../../programs/running-program.js";
import type { CodeBlock } from "./code-blocks.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A folder as a reader has it who saved the files of a page and installed what they need. */
export interface PageFolder {
  readonly path: string;
  /** With an `npx tsx` that runs them. */
  readonly environment: { readonly PATH: string };
}

/** Makes one, of files with `change` made to them. The packages are those that were built. */
export function pageFolder(blocks: readonly CodeBlock[], change = (code: string) => code): PageFolder {
  const path = temporaryFolder();
  symlinkSync(join(root, "packages/cli/node_modules"), join(path, "node_modules"));
  writeFileSync(join(path, "package.json"), JSON.stringify({ type: "module" }));
  for (const { code, role } of blocks) if (role.kind === "file") saveFile(path, role.name, change(code));
  const npx = join(path, "npx");
  writeFileSync(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" $(echo "$@" | sed 's/[.]ts$/.js/')\n`);
  chmodSync(npx, 0o755);
  return { path, environment: { PATH: `${path}:${process.env.PATH}` } };
}

/** Saves it as the JavaScript that becomes of it, with the imports that Next.js looks up from the root looked up. */
function saveFile(root: string, name: string, code: string): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  const { outputText } = ts.transpileModule(code, { compilerOptions });
  writeFileSync(path.replace(/\.ts$/, ".js"), outputText.replaceAll(/"@\/([^"]+)"/g, `"${root}/$1.js"`));
}
