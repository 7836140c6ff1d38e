import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@budgetkit/core";
import { type SqliteDatabase, sqliteStore } from "@budgetkit/store-sqlite";
import { memoryStore } from "@budgetkit/testing";
import type { WorldKind } from "./kinds.js";
import { makeTenants, type Tenant } from "./tenants.js";

export const STORE_NAMES = ["memory", "sqlite"] as const;
export type StoreName = (typeof STORE_NAMES)[number];

/** Makes the store of a seed, with its businesses. */
export type Prepared = () => Promise<PreparedStore>;

interface PreparedStore {
  readonly store: Store;
  readonly tenants: Tenant[];
  readonly host: HostDatabase | null; // a connection of the host to the store's file; null = it is in memory
  close(): void;
}

/** A connection with which a host begins and ends its own transactions. */
export interface HostDatabase extends SqliteDatabase {
  exec(sql: string): unknown;
}

interface Driver extends HostDatabase {
  serialize(): Buffer;
}

const BetterSqlite3: new (source: string | Buffer) => Driver = createRequire(import.meta.url)("better-sqlite3");

/** Seeds share their businesses, because creating them takes a large part of the time of a seed. */
const VARIANTS = 24;
const made = new Map<string, Prepared>();

export function prepare(name: StoreName, kind: WorldKind, seed: number): Prepared {
  const variant = seed % VARIANTS;
  return async () => {
    const key = `${name} ${kind.name} ${variant}`;
    const known = made.get(key) ?? (await (name === "memory" ? prepareMemory : prepareSqlite)(kind, variant));
    made.set(key, known);
    return known();
  };
}

/** The memory store cannot be copied, so the writes to the first are repeated on the others. */
async function prepareMemory(kind: WorldKind, variant: number): Promise<Prepared> {
  const calls: ((store: Store) => unknown)[] = [];
  const recording = new Proxy(memoryStore(), {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function" || READS.test(String(name))) return method;
      return (...args: unknown[]) => {
        calls.push((store) => Reflect.apply(Reflect.get(store, name), store, args));
        return Reflect.apply(method, target, args);
      };
    },
  });
  const tenants = await makeTenants(recording, kind, variant);
  return async () => {
    const store = memoryStore();
    for (const call of calls) await call(store);
    return { store, tenants: structuredClone(tenants), host: null, close: () => {} };
  };
}

const READS = /^(find|list|has|count|on|then)/;

async function prepareSqlite(kind: WorldKind, variant: number): Promise<Prepared> {
  const first = new BetterSqlite3(":memory:");
  const tenants = await makeTenants(sqliteStore(first), kind, variant);
  const image = first.serialize();
  first.close();
  if (variant % 4 === 3) return () => onFile(image, tenants);
  return async () => {
    const database = new BetterSqlite3(image);
    return {
      store: sqliteStore(database),
      tenants: structuredClone(tenants),
      host: null,
      close: () => database.close(),
    };
  };
}

/** A transaction of a host needs a second connection, and so a file. */
async function onFile(image: Buffer, tenants: readonly Tenant[]): Promise<PreparedStore> {
  const folder = mkdtempSync(join(tmpdir(), "simulation-"));
  const path = join(folder, "budgets.db");
  writeFileSync(path, image);
  const [database, host] = [new BetterSqlite3(path), new BetterSqlite3(path)];
  database.pragma("journal_mode = WAL");
  for (const each of [database, host]) each.pragma("busy_timeout = 0"); // the wait would block the simulation
  const close = () => {
    host.close();
    database.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { store: sqliteStore(database), tenants: structuredClone([...tenants]), host, close };
}
