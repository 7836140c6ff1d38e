import { copyFileSync } from "node:fs";
import { storeSuite } from "@budgetkit/testing";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { NodeSqlite } from "./driver/node-sqlite.js";
import { sqliteStore } from "./index.js";
import { nodeSqliteHere } from "./testing/node-sqlite-here.js";
import { inMemoryFolder } from "./testing/temporary-folder.js";

// The errors, numbers and blobs of node:sqlite differ from those of better-sqlite3, which store-suite.test.ts runs on. One
// way to open is enough here: the others are run with TEST_SQLITE_DRIVER=node:sqlite, where this file would repeat them.

const isRunElsewhere = process.env.TEST_SQLITE_DRIVER === "node:sqlite";

describe("the SQLite store on a DatabaseSync of node:sqlite", () => {
  if (nodeSqliteHere !== null && !isRunElsewhere) suiteOn(nodeSqliteHere);
  else if (isRunElsewhere) it.skip("runs in store-suite.test.ts in this run", () => {});
  else it.skip("requires Node 22.16 or later: an earlier Node has no node:sqlite, or one that is too old", () => {});
});

function suiteOn({ DatabaseSync }: NodeSqlite): void {
  const folder = inMemoryFolder();
  const template = folder.file("template.db");
  const open = (path: string) => new DatabaseSync(path, { readOnly: false, timeout: 20 });
  let cases = 0;

  beforeAll(async () => {
    const database = open(template);
    const store = sqliteStore(database, { limiter: "memory" });
    await store.migrate();
    await store.close();
    database.close(); // merges the write-ahead log into the file
  });
  afterAll(() => folder.remove());

  storeSuite({ describe, it }, async () => {
    cases += 1;
    const path = folder.file(`${cases}.db`);
    copyFileSync(template, path);
    const database = open(path);
    const store = sqliteStore(database, { limiter: "memory" });
    return {
      store,
      isMigrated: true,
      close: async () => {
        await store.close();
        database.close();
      },
    };
  });
}
