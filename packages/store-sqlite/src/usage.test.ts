import type { Store } from "@budgetkit/core/store";
import { aBudget, aUsageRow, FIXTURE_TIME as NOW } from "@budgetkit/core/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteStore } from "./index.js";
import { migrate } from "./migrations.js";
import { MIGRATIONS } from "./schema.js";
import { type TemporaryFolder, temporaryFolder } from "./testing/temporary-folder.js";
import { USAGE_MIGRATION } from "./usage-schema.js";

const MAX = Number.MAX_SAFE_INTEGER;

describe("usage in a file", () => {
  let folder: TemporaryFolder;
  let stores: Store[];

  beforeEach(async () => {
    folder = temporaryFolder();
    stores = Array.from({ length: 3 }, () => sqliteStore(folder.file("budgets.db")));
    await Promise.all(stores.map((store) => store.migrate()));
  });

  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    folder.remove();
  });

  async function requestsIn(store: Store | undefined, keyId = "20"): Promise<number[] | undefined> {
    const sums = await store?.sumUsage("1", keyId, [{ grain: "minute", from: 0, until: NOW + 1 }]);
    return sums?.moments.map(({ requests }) => requests);
  }

  it("adds up what several connections write, whoever comes between", async () => {
    const writes = stores.flatMap((store) => Array.from({ length: 40 }, () => store.addUsage([aUsageRow()])));
    await Promise.all(writes);
    for (const store of stores) expect(await requestsIn(store)).toEqual([360]);
  });

  it("writes all rows of a call or none", async () => {
    const [store] = stores;
    await expect(store?.addUsage([aUsageRow(), aUsageRow({ businessId: "no id" })])).rejects.toThrow("not an id");
    await expect(store?.addUsage([aUsageRow(), aUsageRow({ requests: Number.NaN })])).rejects.toThrow();
    expect(await requestsIn(store)).toEqual([]);
  });

  it("cannot be read by the place in which all keys of a business are kept", async () => {
    const [store] = stores;
    await store?.addUsage([aUsageRow({ keyId: null })]);
    for (const id of ["-1", "0", "", "null"]) {
      expect(await requestsIn(store, id)).toEqual([]);
    }
  });
});

describe("a database from before statistics", () => {
  it("has its budgets summed, and goes on from there", async () => {
    const database = new BetterSqlite3(":memory:");
    migrate(
      database,
      MIGRATIONS.filter(({ version }) => version < USAGE_MIGRATION.version),
    );
    const insert = database.prepare(
      `INSERT INTO budgetkit_budgets
         (business_id, id, version, status, customer_id, currency, total, created_at, search_text, document)
       VALUES (1, ?, 1, ?, 'c', ?, 0, 0, '', ?)`,
    );
    const former = [
      aBudget({ id: "10", total: MAX }),
      aBudget({ id: "11", total: MAX - 1 }),
      aBudget({ id: "12", total: 7, status: "APPROVED" }),
      aBudget({ id: "13", total: 5, currency: "JPY" }),
    ];
    for (const budget of former) insert.run(budget.id, budget.status, budget.currency, JSON.stringify(budget));
    const store = sqliteStore(database);
    await store.migrate();
    const sums = async () => new Map((await store.sumBudgets("1")).map((s) => [`${s.status} ${s.currency}`, s.total]));
    expect(await sums()).toEqual(
      new Map([
        ["PENDING USD", 2n * BigInt(MAX) - 1n],
        ["APPROVED USD", 7n],
        ["PENDING JPY", 5n],
      ]),
    );
    await store.replaceBudget(aBudget({ id: "10", total: 3, version: 2 }), 1, [], null);
    expect((await sums()).get("PENDING USD")).toBe(BigInt(MAX) + 2n);
    database.close();
  });
});
