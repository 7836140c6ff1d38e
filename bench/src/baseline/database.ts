import { createHash, randomBytes } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3, { type Database } from "better-sqlite3";
import { cacheFolder } from "../harness/folders.js";
import { BUSINESS, insertBudget, prepareInserts } from "./inserts.js";

/** What somebody would write by hand for one application: a table a thing, and an index for each list. */
const SCHEMA = `
  CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY,
    business_id INTEGER NOT NULL,
    key_hash TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    scopes TEXT NOT NULL
  );
  CREATE TABLE budgets (
    id INTEGER PRIMARY KEY,
    business_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    customer_id TEXT NOT NULL,
    customer_name TEXT,
    customer_email TEXT,
    currency TEXT NOT NULL,
    subtotal REAL NOT NULL,
    discount REAL NOT NULL,
    tax REAL NOT NULL,
    total REAL NOT NULL,
    notes TEXT,
    metadata TEXT NOT NULL,
    valid_until TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  );
  CREATE INDEX budgets_by_creation ON budgets (business_id, created_at, id);
  CREATE INDEX budgets_by_status ON budgets (business_id, status, created_at, id);
  CREATE TABLE items (
    budget_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    product_id TEXT,
    product_name TEXT,
    product_sku TEXT,
    description TEXT NOT NULL,
    quantity REAL NOT NULL,
    unit_price REAL NOT NULL,
    total REAL NOT NULL,
    tax REAL NOT NULL,
    discount REAL NOT NULL,
    PRIMARY KEY (budget_id, position)
  ) WITHOUT ROWID;
  CREATE TABLE documents (business_id INTEGER NOT NULL, id INTEGER NOT NULL, document TEXT NOT NULL,
    PRIMARY KEY (business_id, id));
  CREATE TABLE outbox (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    business_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    occurred_at TEXT NOT NULL,
    payload TEXT NOT NULL
  );
`;

export interface BaselineDatabase {
  readonly path: string;
  readonly budgets: number; // their ids begin at 1
  readonly keys: readonly string[];
}

/** To be raised when what is filled in changes. */
const FORMAT = 1;
const KEYS = 100;

/** The database of that many budgets: the one of an earlier run, or a new one. */
export function baselineDatabase(budgets: number): BaselineDatabase {
  const path = join(cacheFolder(), `hand-written-${FORMAT}-${budgets}.db`);
  const manifest = `${path}.json`;
  if (existsSync(manifest)) return JSON.parse(readFileSync(manifest, "utf8"));
  for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
  const database = { path, budgets, keys: fill(path, budgets) };
  writeFileSync(`${manifest}.new`, JSON.stringify(database));
  renameSync(`${manifest}.new`, manifest);
  return database;
}

/** The same in a file that may be written to. */
export function copyOfBaseline(budgets: number, folder: string): BaselineDatabase {
  const database = baselineDatabase(budgets);
  const path = join(folder, "hand-written.db");
  copyFileSync(database.path, path);
  return { ...database, path };
}

/** Durability is the same on both sides: each commit waits for the disk. */
export function openBaseline(path: string): Database {
  const database = new BetterSqlite3(path);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  return database;
}

export function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

function fill(path: string, budgets: number): readonly string[] {
  const database = openBaseline(path);
  database.exec(SCHEMA);
  const keys = Array.from({ length: KEYS }, () => `key_${randomBytes(24).toString("hex")}`);
  const insertKey = database.prepare(
    "INSERT INTO api_keys (business_id, key_hash, status, scopes) VALUES (?, ?, ?, ?)",
  );
  const inserts = prepareInserts(database);
  database.transaction(() => {
    for (const key of keys) insertKey.run(BUSINESS, hashOf(key), "ACTIVE", "READ_BUDGETS,WRITE_BUDGETS");
    for (let index = 0; index < budgets; index += 1) insertBudget(inserts, index);
  })();
  database.close();
  return keys;
}
