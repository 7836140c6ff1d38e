// The sizes of the sources. `pnpm measure` prints them, `pnpm check limits` compares them with the limits.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root } from "./pnpm.mjs";

export const LIMITS = { functionLines: 60, fileLines: 300, smallFileLines: 20, smallFiles: 10 };
/** Functions that may be longer, by their files: each is one list, and reads no better in pieces. */
const LONG_FUNCTIONS = new Map([
  ["packages/core/src/budgets/budget-operations.ts", "the operations of budgets"],
  ["packages/core/src/build-contexts.ts", "the contexts of all domains"],
  ["packages/store-postgres/src/budgets/budget-list.ts", "the statements of a list"],
  ["packages/store-postgres/src/commit/connection.ts", "the calls of a connection"],
  ["packages/store-postgres/src/postgres-store.ts", "the ports of the store"],
]);
export const DEFAULT_FOLDERS = ["core", "store-kit", "store-sqlite", "store-postgres", "limiter-redis"].map(
  (name) => `packages/${name}/src`,
);

/** Generated files, and frozen migrations, which are never edited. */
const GENERATED =
  /openapi\/examples\.ts$|client\/src\/(operations|schemas)\.ts$|\/migrations\/(limits-)?\d{4}-[\w-]+\.ts$/;

/**
 * Measures the sources in some folders, without tests and without the helpers in folders named testing. A file or
 * function is `{ path, lines }`. Generated files count as lines only, entries and ports are no small files.
 */
export function measureSources(folders = DEFAULT_FOLDERS) {
  const files = folders.flatMap(sourcesIn).map(measureFile);
  const written = files.filter(({ path }) => !GENERATED.test(path));
  const functions = written.flatMap((file) => file.functions);
  return {
    files,
    functions,
    longFunctions: longerThan(LIMITS.functionLines, functions).filter(
      ({ path }) => !LONG_FUNCTIONS.has(path.split(":")[0]),
    ),
    longFiles: longerThan(LIMITS.fileLines, written),
    smallFiles: written.filter(({ lines, isEntryOrPort }) => lines < LIMITS.smallFileLines && !isEntryOrPort),
  };
}

function sourcesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => /\.(ts|sql)$/.test(path) && !path.endsWith(".test.ts") && !path.includes("/testing/"));
}

function measureFile(path) {
  const text = readFileSync(join(root, path), "utf8");
  const lines = text.split("\n").length - 1;
  if (!path.endsWith(".ts")) return { path, lines, functions: [], isEntryOrPort: true }; // a migration is a unit
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  return {
    path,
    lines,
    functions: functionsIn(source),
    isEntryOrPort: source.statements.every(isEntryOrPortStatement),
  };
}

/** An entry only re-exports, a port only declares types. */
function isEntryOrPortStatement(statement) {
  return [
    ts.SyntaxKind.ImportDeclaration,
    ts.SyntaxKind.ExportDeclaration,
    ts.SyntaxKind.InterfaceDeclaration,
    ts.SyntaxKind.TypeAliasDeclaration,
  ].includes(statement.kind);
}

/** Every function with a body; a line counts for the innermost function and for those around it. */
function functionsIn(source) {
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body !== undefined) {
      const [from, to] = [node.getStart(source), node.end].map((end) => source.getLineAndCharacterOfPosition(end).line);
      found.push({ path: `${source.fileName}:${from + 1}`, lines: to - from + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function longerThan(limit, entries) {
  return entries.filter(({ lines }) => lines > limit).sort((a, b) => b.lines - a.lines);
}
