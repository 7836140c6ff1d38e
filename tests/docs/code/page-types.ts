import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import type { Diagnostic } from "typescript-native/unstable/sync";
import type { CodeBlock } from "./code-blocks.js";
import { inProject } from "./type-checker.js";

/** The names that pieces of code may take as given, with their types. */
export const GIVEN: Readonly<Record<string, string>> = {
  actor: `import("@budgetkit/core").Actor`,
  createBudgetService: `typeof import("@budgetkit/core").createBudgetService`,
  client: `import("ioredis").Redis`,
  database: `import("better-sqlite3").Database`,
  input: `{ customerId: string; items: { description: string; quantity: number; unitPrice: number }[] }`,
  orders: `{ begin(budgetId: string, total: number): Promise<void> }`,
  pool: `import("pg").Pool`,
  publicBaseUrl: `string`,
  rawBody: `string`,
  redisLimiter: `typeof import("@budgetkit/limiter-redis").redisLimiter`,
  request: `Request`,
  secret: `string`,
  sendMail: `(to: string, subject: string, text: string) => Promise<void>`,
  service: `import("@budgetkit/core").BudgetService`,
  store: `import("@budgetkit/core").Store`,
  traceparent: `string`,
  yourSession: `(cookie: string | null) => Promise<{ id: string; businessId: string } | null>`,
};

/** A block, or several that are one program, as a file whose lines are those of the page. */
interface PageFile {
  readonly path: string; // in a folder for each page
  readonly text: string;
  readonly name: string | null; // by which others on the page import it; null = by none
}

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * What the compiler says of blocks in TypeScript and JavaScript, under the settings of the repository and with all
 * installed that applications need, as `docs/page.md/12.ts(14,3): …` for line 14; an empty list when all fit.
 */
export function typeFaults(blocks: readonly CodeBlock[]): string[] {
  const outer = mkdtempSync(join(tmpdir(), "budgetkit-pages-"));
  const folder = join(outer, "pages");
  try {
    const files = filesOf(blocks);
    for (const { path, text } of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    symlinkSync(join(root, "node_modules"), join(outer, "node_modules"));
    symlinkSync(join(root, "packages/cli/node_modules"), join(folder, "node_modules")); // drivers and frameworks
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settingsFor(files)));
    return compile(folder, files);
  } finally {
    rmSync(outer, { recursive: true, force: true });
  }
}

/** Checks the files themselves: the sources that they import are checked by `pnpm types`. */
function compile(folder: string, files: readonly PageFile[]): string[] {
  return inProject(folder, ({ program }) => {
    const ofAll = [program.getConfigFileParsingDiagnostics(), program.getProgramDiagnostics()].flat();
    const ofFiles = files.flatMap(({ path, text }) => {
      const file = join(folder, path);
      if (program.getSourceFile(file) === undefined) throw new Error(`the compiler leaves out ${path}`);
      const found = [program.getSyntacticDiagnostics(file), program.getSemanticDiagnostics(file)].flat();
      return found.map((fault) => `${path}(${placeIn(text, fault.pos)}): ${textOf(fault)}`);
    });
    return [...ofAll.map(textOf), ...ofFiles];
  });
}

const textOf = (fault: Diagnostic) => `error TS${fault.code}: ${reasonsOf(fault).join(" ")}`;

function reasonsOf({ text, messageChain = [] }: Diagnostic): string[] {
  return [text, ...messageChain.flatMap(reasonsOf)];
}

/** Line and column, from 1. */
function placeIn(text: string, position: number): string {
  const before = text.slice(0, position).split("\n");
  return `${before.length},${(before.at(-1)?.length ?? 0) + 1}`;
}

function settingsFor(files: readonly PageFile[]): object {
  const base = join(root, "tsconfig.base.json");
  const { paths } = ts.readConfigFile(base, ts.sys.readFile).config.compilerOptions;
  const sources = Object.entries<readonly string[]>(paths).map(([name, [path = ""]]) => [name, [join(root, path)]]);
  // Next.js begins with "@/" what it imports from the root of an application.
  const own = files.flatMap(({ path, name }) =>
    name === null ? [] : [[`@/${name.replace(/\.ts$/, "")}`, [`./${path}`]]],
  );
  return {
    extends: base,
    compilerOptions: {
      paths: Object.fromEntries([...sources, ...own]),
      moduleDetection: "force",
      allowJs: true,
      checkJs: true,
    },
    files: files.map(({ path }) => path),
  };
}

function filesOf(blocks: readonly CodeBlock[]): PageFile[] {
  const programs: [CodeBlock, ...CodeBlock[]][] = [];
  for (const block of blocks) {
    const ofSameKind = programs.filter(([{ page, language }]) => page === block.page && language === block.language);
    const before = ofSameKind.at(-1);
    if (block.role.kind !== "continues") programs.push([block]);
    else if (before !== undefined) before.push(block);
    else throw new Error(`${block.page}:${block.line} continues nothing`);
  }
  return programs.map(fileOf);
}

function fileOf(program: readonly [CodeBlock, ...CodeBlock[]]): PageFile {
  const [{ page, language, line, role }] = program;
  let text = role.kind === "given" ? role.names.map(declarationOf).join(" ") : "";
  for (const block of program) {
    text += "\n".repeat(block.line - text.split("\n").length);
    text += block.code;
  }
  const name = role.kind === "file" ? role.name : null;
  return { path: join(page, name ?? `${line}.${language}`), text, name };
}

function declarationOf(name: string): string {
  const type = GIVEN[name];
  if (type === undefined) throw new Error(`nothing is said of the type of "${name}"`);
  return `declare const ${name}: ${type};`;
}
