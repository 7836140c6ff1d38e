import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { onTestFinished } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
let scripts = 0;

/** The code in the fences of one language of a Markdown page. */
export function blocksOf(page: string, language: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))].map(([, code]) => code ?? "");
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

/** What the compiler says of code as if it were a file of the folder. */
export function typeErrors(folder: string, code: string): string[] {
  const path = join(folder, "page-example.ts");
  const base = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent({ ...base, files: [] }, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.readFile = (name) => (name === path ? code : readFile(name));
  host.getSourceFile = (name, target, ...rest) =>
    name === path ? ts.createSourceFile(name, code, target) : getSourceFile(name, target, ...rest);
  const program = ts.createProgram([path], options, host);
  const file = program.getSourceFile(path);
  return ts
    .getPreEmitDiagnostics(program, file)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
