import { dirname, join, normalize } from "node:path/posix";
import ts from "typescript";

/** A source file: its path from the root of the repository, with forward slashes, and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

const coreSources = "packages/core/src/";
const clientSources = "packages/client/src/";
const domains = [
  "access",
  "attachments",
  "budgets",
  "catalog",
  "events",
  "idempotency",
  "integrations",
  "limits",
  "usage",
  "webhooks",
];
/** The program that puts the packages together. */
const commandLine = "@budgetkit/cli";
const commandLineSources = "packages/cli/src/";
/** What a domain is served by, and so must not know. */
const aboveDomains = /^(http|testing)\/|^(http|testing|store-kit|index|create-service)\.ts$/;
const hostPackages = ["express", "hono", "@hono/node-server", "better-sqlite3", "pg", "ioredis", "swagger-ui-dist"];
const kernelPackages = ["zod", "neverthrow", "date-fns", "@date-fns/tz", "ipaddr.js"];
const testPackages = ["vitest", "fast-check", "decimal.js"];
const publicEntries = ["@budgetkit/core", "@budgetkit/core/store", "@budgetkit/core/http", "@budgetkit/core/testing"];
const testingEntry = "@budgetkit/core/testing";

/** Every import that points the wrong way, in one sentence each. Import types count like any other import. */
export function findViolations(files: readonly SourceFile[]): string[] {
  const violations = files.flatMap((file) =>
    importsOf(file).flatMap((specifier) => {
      const problem = file.path.startsWith(coreSources)
        ? problemInCore(file.path, specifier)
        : (problemInClient(file.path, specifier) ?? problemOutsideCore(file.path, specifier));
      return problem === null ? [] : [`${file.path}: ${problem} (imports ${specifier})`];
    }),
  );
  return [...violations, ...findCycles(files)];
}

function problemInCore(path: string, specifier: string): string | null {
  const isTest = isTestFile(path);
  const from = path.slice(coreSources.length);
  const folder = from.includes("/") ? (from.split("/")[0] ?? "") : "";
  if (!isRelative(specifier)) {
    const name = packageName(specifier);
    if (hostPackages.includes(name)) return "core knows no framework and no database";
    if (name.startsWith("@budgetkit/")) return "core imports no package of this repository, itself included";
    if (folder === "kernel" && !isKernelPackage(specifier) && !(isTest && testPackages.includes(name))) {
      return "kernel uses few packages";
    }
    return null;
  }
  const target = resolve(path, specifier);
  if (!target.startsWith(coreSources)) return "core imports nothing outside its sources";
  const to = target.slice(coreSources.length);
  if (isTest && /^testing(\/|\.ts$)/.test(to)) return null;
  if (folder === "kernel" && !to.startsWith("kernel/")) return "kernel imports nothing outside kernel";
  if (domains.includes(folder) && aboveDomains.test(to)) return "a domain does not know what serves it";
  return null;
}

function problemInClient(path: string, specifier: string): string | null {
  if (!path.startsWith(clientSources) || isRelative(specifier) || isTestFile(path)) return null;
  return "the client stands on what browsers have";
}

function problemOutsideCore(path: string, specifier: string): string | null {
  if (isRelative(specifier)) {
    const [packages = "", name = "", sources = ""] = path.split("/");
    const target = resolve(path, specifier);
    if (target === `${packages}/${name}/package.json`) return null; // what release it is
    return target.startsWith(`${packages}/${name}/${sources}/`) ? null : "a package imports others by their name";
  }
  if (!specifier.startsWith("@budgetkit/")) return null;
  if (packageName(specifier) === commandLine) return "nothing stands on the command line";
  if (path.startsWith(commandLineSources) && packageName(specifier) === specifier) return null;
  if (!publicEntries.includes(specifier)) return "adapters and stores see core alone, by its public entries";
  if (specifier === testingEntry && !isTestFile(path)) return "only tests import what is made for tests";
  return null;
}

/** Circles within core, each told once, from its first file in the alphabet. */
function findCycles(files: readonly SourceFile[]): string[] {
  const graph = new Map<string, string[]>();
  for (const file of files.filter(({ path }) => path.startsWith(coreSources))) {
    const targets = importsOf(file).filter(isRelative);
    graph.set(
      file.path,
      targets.map((specifier) => resolve(file.path, specifier)),
    );
  }
  const cycles = new Set<string>();
  const finished = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      cycles.add(describeCycle(trail.slice(start)));
      return;
    }
    if (finished.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    finished.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return [...cycles];
}

function describeCycle(circle: readonly string[]): string {
  const first = circle.indexOf([...circle].sort()[0] ?? "");
  const turned = [...circle.slice(first), ...circle.slice(0, first + 1)];
  return `imports in a circle: ${turned.map((path) => path.slice(coreSources.length)).join(" -> ")}`;
}

function importsOf(file: SourceFile): string[] {
  return ts.preProcessFile(file.text, true, true).importedFiles.map(({ fileName }) => fileName);
}

function resolve(path: string, specifier: string): string {
  return normalize(join(dirname(path), specifier)).replace(/\.js$/, ".ts");
}

function isRelative(specifier: string): boolean {
  return specifier.startsWith(".");
}

function isTestFile(path: string): boolean {
  return path.endsWith(".test.ts");
}

function isKernelPackage(specifier: string): boolean {
  return specifier.startsWith("node:") || kernelPackages.includes(packageName(specifier));
}

function packageName(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
