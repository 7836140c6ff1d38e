import { storeSuite } from "@budgetkit/core/testing";
import BetterSqlite3 from "better-sqlite3";
import { describe, it } from "vitest";
import { sqliteStore } from "./index.js";
import { sqliteHost } from "./testing/sqlite-host.js";
import { temporaryFolder } from "./testing/temporary-folder.js";

describe("the SQLite store in memory", () => {
  storeSuite({ describe, it }, async () => ({ store: sqliteStore(":memory:") }));
});

describe("the SQLite store in a file", () => {
  const makeStore = async () => {
    const folder = temporaryFolder();
    const open = () => sqliteStore(folder.file("budgets.db"));
    const host = sqliteHost(folder.file("budgets.db"));
    const store = open();
    let latest = store;
    return {
      store,
      host,
      reopen: async () => {
        latest = open();
        return latest;
      },
      close: async () => {
        await latest.close();
        host.close();
        folder.remove();
      },
    };
  };
  storeSuite({ describe, it }, makeStore, { persists: true, hostTransactions: true });
});

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
