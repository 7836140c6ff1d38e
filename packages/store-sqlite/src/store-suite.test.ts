import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type MakeStore, SCALE, type StoreUnderTest, storeSuite } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, describe, it } from "vitest";
import { sqliteStore } from "./index.js";
import { type SharedDatabase, sharedDatabase } from "./testing/shared-database.js";
import { sqliteHost } from "./testing/sqlite-host.js";
import { inMemoryFolder, type TemporaryFolder } from "./testing/temporary-folder.js";
import { emptyUnreleasedDatabase } from "./testing/unreleased-database.js";

// Each case gets an empty store. Migrating a thousand of them takes most of the time, so the cases start from one that is
// migrated: those that need a file of their own from a copy of it, the others on a connection that stays open, because
// opening a file takes longer than most cases. Only the run in memory, at the full scale, migrates each.

// The schema is one of the unreleased builds that the store upgraded: schema.test.ts compares it with a new one.
describe("the SQLite store in a file", () => {
  const template = inMemoryFolder();
  const folder = inMemoryFolder();
  let shared: SharedDatabase;

  function copyTemplate(to: TemporaryFolder): void {
    for (const name of readdirSync(template.path)) copyFileSync(join(template.path, name), to.file(name));
  }

  beforeAll(async () => {
    const database = emptyUnreleasedDatabase();
    writeFileSync(template.file("budgets.db"), database.serialize());
    database.close();
    const store = sqliteStore(template.file("budgets.db"));
    await store.migrate();
    await store.close();
    copyTemplate(folder);
    shared = sharedDatabase(folder.file("budgets.db"));
  });
  afterAll(() => {
    shared.close();
    folder.remove();
    template.remove();
  });

  function onOpenConnection(): StoreUnderTest {
    shared.clear();
    return { store: sqliteStore(shared.database, { limiter: "memory" }), isMigrated: true };
  }

  function inOwnFile(): StoreUnderTest {
    const folder = inMemoryFolder();
    copyTemplate(folder);
    const open = () => sqliteStore(folder.file("budgets.db"));
    let host: ReturnType<typeof sqliteHost> | undefined; // few cases have one
    const store = open();
    let latest = store;
    return {
      store,
      get host() {
        host ??= sqliteHost(folder.file("budgets.db"));
        return host;
      },
      reopen: async () => {
        latest = open();
        return latest;
      },
      close: async () => {
        await latest.close();
        host?.close();
        folder.remove();
      },
    };
  }

  const makeStore: MakeStore = async (needsOwnDatabase) => (needsOwnDatabase ? inOwnFile() : onOpenConnection());
  storeSuite({ describe, it }, makeStore, { persists: true, hostTransactions: true });
});

// Both have the statements of the run in a file; sqlite-store.test.ts has what is theirs alone.
if (SCALE === "full") {
  describe("the SQLite store on a connection of the caller", () => {
    storeSuite({ describe, it }, async () => {
      const database = new BetterSqlite3(":memory:").defaultSafeIntegers(true);
      const store = sqliteStore(database);
      return {
        store,
        close: async () => {
          await store.close();
          database.close();
        },
      };
    });
  });

  describe("the SQLite store in memory", () => {
    storeSuite({ describe, it }, async () => ({ store: sqliteStore(":memory:") }));
  });
}
