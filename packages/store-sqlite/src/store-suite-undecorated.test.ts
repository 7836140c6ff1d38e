import { SCALE, storeSuite } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, describe, it } from "vitest";
import { cachedReads } from "./cached-reads.js";
import { grouped } from "./engine/grouped.js";
import { type Decorators, decoratedStore, sqliteStore } from "./sqlite-store.js";
import { type SharedDatabase, sharedMemory } from "./testing/shared-database.js";

// What the store does for speed changes none of its promises. store-suite.test.ts has all of it, in a file.

const NOTHING: Decorators = { onConnection: (connection) => connection, onReads: (reads) => () => reads };

describe("the SQLite store in memory without group commit and cache", () => suiteWith(NOTHING));

describe("the SQLite store in memory without its cache", () => suiteWith({ ...NOTHING, onConnection: grouped }));

if (SCALE === "full") {
  describe("the SQLite store in memory without group commit", () => suiteWith({ ...NOTHING, onReads: cachedReads }));
}

function suiteWith(decorators: Decorators): void {
  let template: Buffer;
  let shared: SharedDatabase;

  beforeAll(async () => {
    const database = new BetterSqlite3(":memory:");
    await sqliteStore(database).migrate();
    template = database.serialize();
    shared = sharedMemory(database);
  });
  afterAll(() => shared.close());

  storeSuite({ describe, it }, async (needsOwnDatabase) => {
    if (!needsOwnDatabase) shared.clear();
    const database = needsOwnDatabase ? new BetterSqlite3(template) : shared.database;
    const store = decoratedStore(database, {}, decorators);
    const close = async () => {
      await store.close();
      if (needsOwnDatabase) database.close();
    };
    return { store, isMigrated: true, close };
  });
}
