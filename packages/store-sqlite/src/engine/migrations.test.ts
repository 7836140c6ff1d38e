import { insertBudgetCommit, StoreUnavailable } from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, outcomeOf } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundlePackage } from "../../../../tests/programs/child-process.js";
import { sqliteStore } from "../index.js";
import { MIGRATIONS } from "../schema.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";
import { type Migration, migrate } from "./migrations.js";

const FIRST: Migration = { version: 1, sql: "CREATE TABLE a (x INTEGER)" };
const SECOND: Migration = { version: 2, sql: "CREATE TABLE b (x INTEGER)" };

describe("migrating a SQLite database", () => {
  let folder: TemporaryFolder;

  beforeEach(() => {
    folder = temporaryFolder();
  });

  afterEach(() => folder.remove());

  function tablesOf(database: BetterSqlite3.Database): unknown[] {
    return database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND length(name) = 1").pluck().all();
  }

  it("migrating SQLite applies the missing steps, in order and once", () => {
    const database = new BetterSqlite3(":memory:");
    migrate(database, [FIRST]);
    migrate(database, [FIRST, SECOND]);
    migrate(database, [FIRST, SECOND]);
    expect(tablesOf(database)).toEqual(["a", "b"]);
  });

  it("migrating SQLite applies all of the missing steps or none", () => {
    const database = new BetterSqlite3(":memory:");
    expect(() => migrate(database, [FIRST, { version: 2, sql: "CREATE TABLE a (x INTEGER)" }])).toThrow("exists");
    expect(tablesOf(database)).toEqual([]);
    expect(database.inTransaction).toBe(false);
    migrate(database, [FIRST, SECOND]);
    expect(tablesOf(database)).toEqual(["a", "b"]);
  });

  it("migrating SQLite refuses a schema that is newer than the package", () => {
    const database = new BetterSqlite3(":memory:");
    migrate(database, [FIRST, SECOND]);
    expect(() => migrate(database, [FIRST])).toThrow("is at version 2, newer than this release");
  });

  it("migrating SQLite refuses a step that has changed since it was applied", () => {
    const database = new BetterSqlite3(":memory:");
    migrate(database, [FIRST]);
    const changed = { version: 1, sql: "CREATE TABLE a (x TEXT)" };
    expect(() => migrate(database, [changed, SECOND])).toThrow(
      "migration 1 of :memory: was applied with other contents",
    );
    expect(tablesOf(database)).toEqual(["a"]);
  });

  it("writes nothing once a newer release has migrated the file, and is not ready (StoreUnavailable)", async () => {
    const path = folder.file("budgets.db");
    const store = sqliteStore(path);
    await store.migrate();
    expect(await outcomeOf(store, insertBudgetCommit(aBudget()))).toBe("written");
    const database = new BetterSqlite3(path);
    database.prepare("INSERT INTO budgetkit_migrations (version, checksum) VALUES (99, '')").run();
    database.exec("DROP TABLE budgetkit_endpoints");
    const newer = `a newer release has migrated ${path} to version 99`;
    const refused = await Promise.allSettled([
      store.commit(insertBudgetCommit(aBudget({ id: "11" }))),
      store.commit(insertBudgetCommit(aBudget({ id: "12" }))),
      store.claimDue({ ...CLAIM, now: 0, limit: 1 }),
      store.listEndpoints("1", 1, 0),
    ]);
    for (const each of refused) {
      if (each.status === "fulfilled") throw new Error("a call was not refused");
      expect(each.reason).toBeInstanceOf(StoreUnavailable);
      expect(each.reason.message).toContain(newer);
    }
    expect(database.prepare("SELECT id FROM budgetkit_budgets").pluck().all()).toEqual([10]);
    database.close();
    expect((await store.findBudget("1", "10"))?.id).toBe("10");
    expect(await store.findOutage()).toContain("version 99");
    await expect(store.migrate()).rejects.toThrow("version 99");
    await store.close();
  });

  it("a host's transaction in a file of a newer release reads what still fits, and writes nothing", async () => {
    const path = folder.file("budgets.db");
    const store = sqliteStore(path);
    await store.migrate();
    await store.commit(insertBudgetCommit(aBudget()));
    const host = new BetterSqlite3(path);
    host.prepare("INSERT INTO budgetkit_migrations (version, checksum) VALUES (99, '')").run();
    host.exec("DROP TABLE budgetkit_link_views; BEGIN IMMEDIATE");
    const joined = store.withConnection(host);
    expect((await joined.findBudget("1", "10"))?.id).toBe("10");
    for (const call of [
      () => joined.commit(insertBudgetCommit(aBudget({ id: "11" }))),
      () => joined.reserveIds("1", 1),
      () => joined.listLinkViews("1", "10"),
    ]) {
      const answer = call();
      await expect(answer).rejects.toThrow(StoreUnavailable);
      await expect(answer).rejects.toThrow("to version 99");
    }
    host.exec("COMMIT");
    host.close();
    expect((await store.listBudgets("1", aBudgetQuery())).total).toBe(1);
    await store.close();
  });

  it("decides nothing about rate limits in a file of a newer release (StoreUnavailable)", async () => {
    const path = folder.file("budgets.db");
    const store = sqliteStore(path);
    await store.migrate();
    const database = new BetterSqlite3(`${path}-limits`);
    database.prepare("INSERT INTO budgetkit_migrations (version, checksum) VALUES (99, '')").run();
    database.close();
    await expect(store.consume("1", [{ lengthMs: 1_000, limit: 1 }], 0)).rejects.toThrow(StoreUnavailable);
    expect(await store.findOutage()).toContain("version 99");
    await store.close();
  });

  it("eight processes migrate a new SQLite file safely at once", async () => {
    const path = folder.file("budgets.db");
    const startChild = await bundlePackage("store-sqlite", folder.path);
    const script = `
      const store = sqliteStore(${JSON.stringify(path)});
      await store.migrate();
      const first = await store.reserveIds("1", 10);
      await store.close();
      console.log(first);
    `;
    const children = Array.from({ length: 8 }, () => startChild(script));
    const blocks = (await Promise.all(children.map(({ output }) => output))).map(Number);
    expect(blocks.sort((a, b) => a - b)).toEqual(Array.from({ length: 8 }, (_, index) => 1_000_000_001 + index * 10));
    const database = new BetterSqlite3(path);
    expect(database.prepare("SELECT count(*) FROM budgetkit_migrations").pluck().get()).toBe(MIGRATIONS.length);
    database.close();
  }, 30_000);
});

const CLAIM = { lease: { token: "a lease", until: 1 }, perBusiness: 1, perSubscriber: 1, inFlight: [] };
