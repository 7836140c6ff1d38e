import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { onTestFinished } from "vitest";
import { codeBlocks } from "./code-blocks.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
let scripts = 0;

/** The code in the fences of one language of a Markdown page. */
export function blocksOf(page: string, language: string): string[] {
  return codeBlocks("the page", page)
    .filter((block) => block.language === language)
    .map(({ code }) => code);
}

/** Puts code, as plain JavaScript, where it finds the packages that an example uses. */
export function besideExample(name: string, code: string): string {
  return besideFolder(`examples/${name}`, code);
}

/** The same for any package of the workspace, by its folder. */
export function besideFolder(folder: string, code: string): string {
  scripts += 1;
  const script = join(root, folder, "node_modules", `page-${process.pid}-${scripts}.mjs`);
  onTestFinished(() => rmSync(script, { force: true }));
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
  writeFileSync(script, ts.transpileModule(code, { compilerOptions }).outputText);
  return script;
}
