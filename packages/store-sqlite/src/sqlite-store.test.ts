import { existsSync, statSync } from "node:fs";
import { insertBudgetCommit, replaceBudgetCommit, StoreUnavailable } from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, anEvent, anEventQuery, FIXTURE_TIME, outcomeOf } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { codeOf } from "./engine/failures.js";
import { type SqliteDatabase, sqliteStore } from "./index.js";
import { type TemporaryFolder, temporaryFolder } from "./testing/temporary-folder.js";

const CLAIM = {
  businessId: "1",
  key: "client-key",
  claimId: "claim",
  fingerprint: "fingerprint",
  leaseUntil: FIXTURE_TIME + 1_000,
  expiresAt: FIXTURE_TIME + 1_000,
};
const HOURLY = [{ lengthMs: 3_600_000, limit: 1 }];

async function migrated(path: string): Promise<void> {
  const store = sqliteStore(path);
  await store.migrate();
  await store.close();
}

describe("a SQLite store", () => {
  let folder: TemporaryFolder;
  let path: string;

  beforeEach(() => {
    folder = temporaryFolder();
    path = folder.file("budgets.db");
  });

  afterEach(() => folder.remove());

  describe("opening", () => {
    it("opening SQLite makes the folders of the path and files that only their owner can read", async () => {
      path = folder.file("a/b/budgets.db");
      const store = sqliteStore(path);
      await store.migrate();
      await store.commit(insertBudgetCommit(aBudget()));
      for (const made of ["a", "a/b"]) expect(statSync(folder.file(made)).mode & 0o777).toBe(0o700);
      for (const file of [path, `${path}-wal`, `${path}-limits`]) expect(statSync(file).mode & 0o777).toBe(0o600);
      await store.close();
    });

    it("every commit waits for the disk, on the caller's connection too", async () => {
      const database = new BetterSqlite3(path);
      database.pragma("synchronous = OFF");
      const store = sqliteStore(database);
      await store.migrate();
      expect(database.pragma("synchronous", { simple: true })).toBe(2);
      expect(database.pragma("journal_mode", { simple: true })).toBe("wal");
      await store.close();
      database.close();
    });

    it("refuses a connection on which commits would not wait for the disk", () => {
      const database: SqliteDatabase = {
        ...membersOf(new BetterSqlite3(":memory:")),
        pragma: (source) => (source === "synchronous" ? 1 : undefined),
      };
      expect(() => sqliteStore(database)).toThrow("synchronous=FULL");
    });

    it.each([
      ["options alone", {}],
      ["options of the store", { limiter: "memory" }],
      ["a number", 7],
      ["nothing", undefined],
    ])("sqliteStore lists what it accepts when it is given %s (TypeError)", (_, source) => {
      const open = () => Reflect.apply(sqliteStore, null, [source]);
      expect(open).toThrow(TypeError);
      expect(open).toThrow("sqliteStore() needs a path, a Database of better-sqlite3 or a DatabaseSync of node:sqlite");
    });

    it("refuses a limiter in a file when there is no file to keep it beside", () => {
      expect(() => sqliteStore(":memory:", { limiter: "file" })).toThrow("in memory");
    });

    it("refuses a read-only file, in a clear line", async () => {
      await migrated(path);
      const database = new BetterSqlite3(path, { readonly: true });
      const store = sqliteStore(database, { limiter: "memory" });
      await expect(store.migrate()).rejects.toThrow(`${path} cannot be written`);
      await store.close();
      database.close();
    });

    it("a SQLite store is not ready before its schema was made", async () => {
      const store = sqliteStore(path);
      expect(await store.findOutage()).not.toBeNull();
      await store.migrate();
      expect(await store.findOutage()).toBeNull();
      await store.close();
    });
  });

  describe("closing", () => {
    it("closing a SQLite store leaves everything in the one file", async () => {
      const store = sqliteStore(path);
      await store.migrate();
      await store.commit(insertBudgetCommit(aBudget()));
      await store.close();
      expect(existsSync(`${path}-wal`)).toBe(false);
      await expect(store.findBudget("1", "10")).rejects.toThrow(StoreUnavailable);
      await expect(store.consume("key:1:20", HOURLY, FIXTURE_TIME)).rejects.toThrow(StoreUnavailable);
    });

    it("closing a SQLite store leaves the caller's connection open", async () => {
      const database = new BetterSqlite3(path);
      const store = sqliteStore(database);
      await store.migrate();
      await store.close();
      await expect(store.commit(insertBudgetCommit(aBudget()))).rejects.toThrow(StoreUnavailable);
      expect(database.prepare("SELECT count(*) FROM budgetkit_budgets").pluck().get()).toBe(0);
      database.close();
    });
  });

  describe("on the caller's connection", () => {
    it("keeps the limiter beside the caller's file, or in memory by option", async () => {
      const database = new BetterSqlite3(path);
      const store = sqliteStore(database, { limiter: "memory" });
      await store.migrate();
      await store.consume("key:1:20", HOURLY, FIXTURE_TIME);
      expect(existsSync(`${path}-limits`)).toBe(false);
      await store.close();
      const beside = sqliteStore(database);
      await beside.migrate();
      expect(existsSync(`${path}-limits`)).toBe(true);
      await beside.close();
      database.close();
    });

    it("refuses to write into a transaction of the caller, with the reason", async () => {
      const database = new BetterSqlite3(path);
      const store = sqliteStore(database);
      await store.migrate();
      database.exec("BEGIN");
      expect((await store.listBudgets("1", aBudgetQuery())).total).toBe(0);
      await expect(store.commit(insertBudgetCommit(aBudget()))).rejects.toThrow("is in a transaction");
      expect(database.inTransaction).toBe(true);
      database.exec("COMMIT");
      expect(await outcomeOf(store, insertBudgetCommit(aBudget()))).toBe("written");
      await store.close();
      database.close();
    });

    it("a SQLite store is unavailable once the caller has closed its connection (StoreUnavailable)", async () => {
      const database = new BetterSqlite3(path);
      const store = sqliteStore(database);
      await store.migrate();
      database.close();
      await expect(store.findBudget("1", "10")).rejects.toThrow(StoreUnavailable);
      await expect(store.commit(insertBudgetCommit(aBudget()))).rejects.toThrow(StoreUnavailable);
      expect(await store.findOutage()).not.toBeNull();
      expect(() => sqliteStore(database)).toThrow(StoreUnavailable);
    });
  });

  describe("writes that share a commit", () => {
    it("writes that share a commit succeed, fail and are stale on their own", async () => {
      const store = sqliteStore(path);
      await store.migrate();
      await store.commit(insertBudgetCommit(aBudget({ id: "10" })));
      const outcomes = await Promise.allSettled([
        outcomeOf(
          store,
          insertBudgetCommit(aBudget({ id: "11" }), { events: [anEvent({ id: "e1", subjectId: "11" })] }),
        ),
        outcomeOf(store, insertBudgetCommit(aBudget({ id: "10" }), { events: [anEvent({ id: "e2" })] })), // the id is taken
        outcomeOf(
          store,
          replaceBudgetCommit(aBudget({ id: "10", version: 9 }), 8, { events: [anEvent({ id: "e3" })] }),
        ), // stale
        outcomeOf(
          store,
          insertBudgetCommit(aBudget({ id: "12" }), { events: [anEvent({ id: "e4", businessId: "0" })] }),
        ), // no business
        outcomeOf(
          store,
          replaceBudgetCommit(aBudget({ id: "10", version: 2 }), 1, { events: [anEvent({ id: "e5" })] }),
        ),
      ]);
      expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "failed"))).toEqual([
        "written",
        "failed",
        "stale",
        "failed",
        "written",
      ]);
      const { entries, total } = await store.listBudgets("1", aBudgetQuery({ order: "asc" }));
      expect([total, entries.map(({ id, version }) => [id, version])]).toEqual([
        2,
        [
          ["10", 2],
          ["11", 1],
        ],
      ]);
      const events = await store.listEvents("1", anEventQuery());
      expect(events.entries.map(({ id }) => id)).toEqual(["e5", "e1"]);
      await store.close();
    });

    for (const company of [0, 1, 5]) {
      it(`a failing write undoes all that it did, ${company} others beside it`, async () => {
        const store = sqliteStore(path);
        await store.migrate();
        await store.commit(insertBudgetCommit(aBudget({ publicTokenHash: "taken" })));
        await store.claimKey(CLAIM, FIXTURE_TIME);
        const clash = aBudget({ id: "99", publicTokenHash: "taken" });
        const others = Array.from({ length: company }, (_, index) => aBudget({ id: String(100 + index) }));
        const failing = store.commit(
          insertBudgetCommit(clash, { events: [anEvent()], completes: { ...CLAIM, response: "never sent" } }),
        );
        const [outcome, ...fates] = await Promise.allSettled([
          failing,
          ...others.map((budget) =>
            outcomeOf(store, insertBudgetCommit(budget, { events: [anEvent({ id: budget.id })] })),
          ),
        ]);
        expect(outcome).toMatchObject({ status: "rejected" });
        expect(outcome.status === "rejected" && codeOf(outcome.reason)).toMatch(/^SQLITE_CONSTRAINT/);
        expect(fates).toEqual(others.map(() => ({ status: "fulfilled", value: "written" })));
        expect((await store.listBudgets("1", aBudgetQuery())).total).toBe(1 + company);
        expect((await store.listEvents("1", anEventQuery())).total).toBe(company);
        expect(await store.claimKey({ ...CLAIM, claimId: "other" }, FIXTURE_TIME)).toEqual({ kind: "in-flight" });
        await store.close();
      });
    }
  });
});

/** What the store uses of a connection, in an object of which a test can replace a part. */
function membersOf(database: BetterSqlite3.Database): SqliteDatabase {
  return {
    name: database.name,
    memory: database.memory,
    inTransaction: database.inTransaction,
    prepare: (sql) => database.prepare(sql),
    exec: (sql) => database.exec(sql),
    pragma: (source) => database.pragma(source),
    close: () => database.close(),
  };
}
