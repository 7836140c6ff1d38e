import { createRequire } from "node:module";
import { type NodeSqlite, nodeSqliteDriver } from "./node-sqlite.js";
import type { OpenOptions, SqliteDatabase, SqliteDriver } from "./sqlite-database.js";

type BetterSqlite3 = new (path: string, options: OpenOptions) => SqliteDatabase;

/** What a driver is chosen from. */
export interface Surroundings {
  readonly nodeVersion: string; // "24.21.0"
  /** Imports an installed package. Throws when it is not there. */
  load(name: string): unknown;
  loadBuiltin(name: string): unknown;
}

/** better-sqlite3 12 is built on V8's interface: from this Node on, the process aborts when it collects a statement. */
const BETTER_SQLITE3_12_BEFORE = "24.19.0";
/** better-sqlite3 13 is built on a later Node-API than an earlier Node has: there the process ends with a segmentation fault. */
const BETTER_SQLITE3_13_FROM = "22.0.0";

const HERE: Surroundings = {
  nodeVersion: process.versions.node,
  load: (name) => createRequire(import.meta.url)(name),
  loadBuiltin: (name) => process.getBuiltinModule(name),
};

let chosen: SqliteDriver | null = null;

/**
 * The driver of all files that this package opens, chosen once: better-sqlite3 where it is installed and works, else
 * node:sqlite. Throws an Error when neither can be used.
 */
export function sqliteDriver(): SqliteDriver {
  chosen ??= chooseDriver(HERE);
  return chosen;
}

/** "better-sqlite3 12.11.1" or "node:sqlite of Node 24.21.0". Throws an Error when no driver can be used. */
export function driverInUse(): string {
  return driverText(sqliteDriver());
}

export function driverText({ name, version }: Pick<SqliteDriver, "name" | "version">): string {
  return name === "node:sqlite" ? `${name} of Node ${version}` : `${name} ${version}`;
}

export function chooseDriver(surroundings: Surroundings): SqliteDriver {
  const reasons: string[] = [];
  for (const find of [betterSqlite3, nodeSqlite]) {
    try {
      return find(surroundings);
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`no SQLite driver can be used: ${reasons.join("; ")}`);
}

function betterSqlite3({ nodeVersion, load }: Surroundings): SqliteDriver {
  const { version } = installed(load);
  const needed = isBefore(version, "13.0.0")
    ? isBefore(nodeVersion, BETTER_SQLITE3_12_BEFORE)
    : !isBefore(nodeVersion, BETTER_SQLITE3_13_FROM);
  if (!needed) {
    const wanted = isBefore(version, "13.0.0") ? 13 : 12;
    throw new Error(`better-sqlite3 ${version} does not work on Node ${nodeVersion}: install better-sqlite3@${wanted}`);
  }
  const Database = load("better-sqlite3") as BetterSqlite3;
  const open = (path: string, options: OpenOptions): SqliteDatabase => new Database(path, options);
  open(":memory:", {}).close(); // loads the native part, which may be missing
  return { name: "better-sqlite3", version, open };
}

function installed(load: Surroundings["load"]): { readonly version: string } {
  try {
    return load("better-sqlite3/package.json") as { readonly version: string };
  } catch (error) {
    throw new Error("better-sqlite3 is not installed", { cause: error });
  }
}

/** The first Node on which the store works with node:sqlite is 22.16, and 24.0 of the later ones. */
function nodeSqlite({ nodeVersion, loadBuiltin }: Surroundings): SqliteDriver {
  const module = loadBuiltin("node:sqlite") as NodeSqlite | undefined;
  if (module === undefined) throw new Error(`Node ${nodeVersion} has no node:sqlite`);
  const database = new module.DatabaseSync(":memory:", { readOnly: false, timeout: 0 });
  const isRecent = typeof database.isTransaction === "boolean";
  database.close();
  if (!isRecent) {
    throw new Error(`node:sqlite of Node ${nodeVersion} is too old: it is used from Node 22.16 on`);
  }
  return nodeSqliteDriver(module, nodeVersion);
}

function isBefore(version: string, other: string): boolean {
  const [one, two] = [version, other].map((text) => text.split(".").map(Number.parseFloat));
  const at = [0, 1, 2].find((index) => one?.[index] !== two?.[index]);
  return at !== undefined && Number(one?.[at]) < Number(two?.[at]);
}
