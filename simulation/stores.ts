import { createRequire } from "node:module";
import type { Store } from "@budgetkit/core";
import { type SqliteDatabase, sqliteStore } from "@budgetkit/store-sqlite";
import { memoryStore } from "@budgetkit/testing";

export const STORE_NAMES = ["memory", "sqlite"] as const;
export type StoreName = (typeof STORE_NAMES)[number];

interface OpenedStore {
  readonly open: () => Promise<Store>;
  close(): void;
}

interface Driver extends SqliteDatabase {
  serialize(): Buffer;
}

/** The driver of the store's package, whose path the bundle fills in. */
const BetterSqlite3: new (source: string | Buffer) => Driver = createRequire(import.meta.url)(
  process.env.SIMULATION_SQLITE_DRIVER ?? "better-sqlite3",
);

let migrated: Buffer | null = null; // migrating takes longer than a seed

export function openStore(name: StoreName, _seed: number): OpenedStore {
  if (name === "memory") return { open: async () => memoryStore(), close: () => {} };
  let database: Driver | null = null;
  return {
    open: async () => {
      if (migrated === null) {
        const first = new BetterSqlite3(":memory:");
        await sqliteStore(first).migrate();
        migrated = first.serialize();
        first.close();
      }
      database = new BetterSqlite3(migrated);
      return sqliteStore(database);
    },
    close: () => database?.close(),
  };
}
