import { dirname, join, normalize } from "node:path/posix";
import ts from "typescript";

/** A source file: its path from the root of the repository, with forward slashes, and its text. */
export interface SourceFile {
  path: string;
  text: string;
}

const coreSources = "packages/core/src/";
const clientSources = "packages/client/src/";
/** The screens of the dashboard, which run in a browser. */
const screens = "packages/dashboard/app/";
/** The folders of core that hold rules. A folder that is neither here nor in `otherFolders` is reported. */
const domains = [
  "access",
  "attachments",
  "budgets",
  "catalog",
  "commit",
  "events",
  "ledger",
  "idempotency",
  "integrations",
  "limits",
  "pricing",
  "signing",
  "telemetry",
  "usage",
  "webhooks",
];
const otherFolders = ["entries", "http", "kernel", "testing"];
/** The program that puts the packages together. */
const commandLine = "@budgetkit/cli";
const commandLineSources = "packages/cli/src/";
/** The files above the domains, which no domain imports. */
const aboveDomains = /^(entries|http|testing)\/|^(create-service|build-contexts|service-options|maintenance)\.ts$/;
const hostPackages = ["express", "hono", "@hono/node-server", "better-sqlite3", "pg", "ioredis", "swagger-ui-dist"];
const kernelPackages = ["zod", "neverthrow", "date-fns", "@date-fns/tz", "@date-fns/utc", "ipaddr.js", "lru-cache"];
const testPackages = ["vitest", "fast-check", "decimal.js"];
const testing = "@budgetkit/testing";
const testingSources = "packages/testing/src/";
/** Test helpers that no package publishes. */
const sharedTestHelpers = "tests/";
const publicEntries = ["@budgetkit/core", "@budgetkit/core/store", "@budgetkit/core/http", testing];
/** What stores share: for stores, copies and the in-memory store. */
const storeKit = "@budgetkit/store-kit";
const usersOfStoreKit = /^packages\/(store-\w+|testing|cli)\//;
/** The route table: for the suites of the testing package, which are made from it. */
const routesEntry = "@budgetkit/core/routes";
/** The check of evidence: the command line offers it too. */
const evidenceEntry = "@budgetkit/client/evidence";

/** The figures of a budget, for what runs in a browser too. Stores and adapters compute none. */
const pricingEntry = "@budgetkit/core/pricing";
const usersOfPricing = /^packages\/(client|cli)\//;

/** Every import that points the wrong way, in one sentence each. Import types count like any other import. */
export function findViolations(files: readonly SourceFile[]): string[] {
  const violations = files.flatMap((file) =>
    importsOf(file).flatMap((specifier) => {
      const problem = file.path.startsWith(coreSources)
        ? problemInCore(file.path, specifier)
        : (problemInClient(file.path, specifier) ?? problemInScreens(file.path, specifier));
      return problem === null ? [] : [`${file.path}: ${problem} (imports ${specifier})`];
    }),
  );
  const layered = files.filter(({ path }) => !path.startsWith(screens)); // the session shows screens, which read it
  return [...violations, ...findUnknownFolders(files), ...findFileCircles(files), ...findFolderCircles(layered)];
}

function problemInCore(path: string, specifier: string): string | null {
  const isTest = isTestFile(path);
  const from = path.slice(coreSources.length);
  const folder = from.includes("/") ? (from.split("/")[0] ?? "") : "";
  if (!isRelative(specifier)) {
    const name = packageName(specifier);
    if (hostPackages.includes(name)) return "core knows no framework and no database";
    if (name === testing && isTestCode(path)) return null;
    if (name.startsWith("@budgetkit/")) return "core imports no package of this repository, itself included";
    if (folder === "kernel" && !isKernelPackage(specifier) && !(isTest && testPackages.includes(name))) {
      return "kernel uses few packages";
    }
    return null;
  }
  const target = resolve(path, specifier);
  if (!target.startsWith(coreSources)) return "core imports nothing outside its sources";
  const to = target.slice(coreSources.length);
  if (isTest && to.startsWith("testing/")) return null;
  if (folder === "kernel" && !to.startsWith("kernel/")) return "kernel imports nothing outside kernel";
  if (domains.includes(folder) && aboveDomains.test(to)) return "a domain does not know what serves it";
  return null;
}

function problemInClient(path: string, specifier: string): string | null {
  if (!path.startsWith(clientSources) || isRelative(specifier) || isTestFile(path)) return null;
  if (specifier === pricingEntry) return null;
  return "the client stands on what browsers have";
}

function problemInScreens(path: string, specifier: string): string | null {
  if (!path.startsWith(screens) || isRelative(specifier)) return problemOutsideCore(path, specifier);
  if (specifier.startsWith("node:") && !isTestFile(path)) return "screens stand on what browsers have";
  if (!specifier.startsWith("@budgetkit/")) return null;
  if (/^@budgetkit\/client(?:\/(?:evidence|webhooks))?$/.test(specifier) || specifier === pricingEntry) return null;
  return "screens see a service through the client alone";
}

function problemOutsideCore(path: string, specifier: string): string | null {
  if (isRelative(specifier)) {
    const [packages = "", name = "", sources = ""] = path.split("/");
    const target = resolve(path, specifier);
    if (target === `${packages}/${name}/package.json`) return null; // what release it is
    if (isTestFile(path) && target.startsWith(sharedTestHelpers)) return null;
    if (isTestFile(path) && target.startsWith(`${packages}/${name}/worker/`)) return null; // the package's own thread
    return target.startsWith(`${packages}/${name}/${sources}/`) ? null : "a package imports others by their name";
  }
  if (!specifier.startsWith("@budgetkit/")) return null;
  if (packageName(specifier) === commandLine) return "nothing stands on the command line";
  if (path.startsWith(commandLineSources) && (packageName(specifier) === specifier || specifier === evidenceEntry)) {
    return null;
  }
  if (specifier === routesEntry && path.startsWith(testingSources)) return null;
  if (specifier === storeKit && (usersOfStoreKit.test(path) || isTestCode(path))) return null;
  if (specifier === pricingEntry && usersOfPricing.test(path)) return null;
  if (!publicEntries.includes(specifier)) return "adapters and stores see core alone, by its public entries";
  if (specifier === testing && !isTestCode(path)) return "only tests import what is made for tests";
  return null;
}

/** Folders of core that the lists above do not name, once each. */
function findUnknownFolders(files: readonly SourceFile[]): string[] {
  const folders = files
    .filter(({ path }) => path.startsWith(coreSources))
    .map(({ path }) => path.slice(coreSources.length).split("/"))
    .flatMap(([folder = "", ...rest]) => (rest.length > 0 ? [folder] : []));
  return [...new Set(folders)]
    .filter((folder) => !domains.includes(folder) && !otherFolders.includes(folder))
    .map((folder) => `packages/core/src/${folder}: the dependency rules do not name this folder`);
}

/** Circles of files and of folders in the sources of the simulation. */
export function findCircles(files: readonly SourceFile[]): string[] {
  return [...findFileCircles(files, "simulation/"), ...findFolderCircles(files)];
}

/** Circles of files within a folder, by default core, once each, from the first file in the alphabet. */
function findFileCircles(files: readonly SourceFile[], folder = coreSources): string[] {
  const within = (path: string) => path.slice(folder.length);
  const arrows = files.filter(({ path }) => path.startsWith(folder)).flatMap(arrowsOf);
  return circlesIn(arrows.map(({ from, to }) => ({ from: within(from), to: within(to) }))).map(
    (circle) => `imports in a circle: ${circle.join(" -> ")}`,
  );
}

/**
 * Circles among the parts of a folder, in every folder of every package. The parts are its files and its subfolders, each
 * subfolder as a whole. Tests do not count: a test of a low part may use a high one.
 */
function findFolderCircles(files: readonly SourceFile[]): string[] {
  const byFolder = new Map<string, Arrow[]>();
  for (const arrow of files.filter(({ path }) => !isTestCode(path)).flatMap(arrowsOf)) {
    const [from, to] = [arrow.from.split("/"), arrow.to.split("/")];
    const depth = from.findIndex((part, index) => part !== to[index]);
    if (depth < 0) continue;
    const folder = from.slice(0, depth).join("/");
    const between = { from: from[depth] ?? "", to: to[depth] ?? "" };
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), between]);
  }
  return [...byFolder].flatMap(([folder, arrows]) =>
    circlesIn(arrows)
      .filter((circle) => circle.some((part) => !part.endsWith(".ts")))
      .map((circle) => `folders in a circle: ${folder}: ${circle.join(" -> ")}`),
  );
}

interface Arrow {
  readonly from: string;
  readonly to: string;
}

function arrowsOf(file: SourceFile): Arrow[] {
  return importsOf(file)
    .filter(isRelative)
    .map((specifier) => ({ from: file.path, to: resolve(file.path, specifier) }));
}

/** Each circle once, beginning and ending with its first member in the alphabet. */
function circlesIn(arrows: readonly Arrow[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of arrows) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const circles = new Map<string, string[]>();
  const finished = new Set<string>();
  const visit = (node: string, trail: readonly string[]): void => {
    const start = trail.indexOf(node);
    if (start >= 0) {
      const circle = fromFirst(trail.slice(start));
      circles.set(circle.join(), circle);
      return;
    }
    if (finished.has(node)) return;
    for (const next of targets.get(node) ?? []) visit(next, [...trail, node]);
    finished.add(node);
  };
  for (const node of targets.keys()) visit(node, []);
  return [...circles.values()];
}

function fromFirst(circle: readonly string[]): string[] {
  const first = circle.indexOf([...circle].sort()[0] ?? "");
  return [...circle.slice(first), ...circle.slice(0, first + 1)];
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

/** Tests, and the helpers that tests are made with. */
function isTestCode(path: string): boolean {
  return isTestFile(path) || path.includes("/src/testing/");
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
