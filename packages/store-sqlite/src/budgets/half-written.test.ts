import { insertBudgetCommit, type Store } from "@budgetkit/core/store";
import { aBudget, aBudgetQuery } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteStore } from "../index.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";

/** Fails after the row of budget 13 is written. */
const FAILS_HALFWAY = `CREATE TRIGGER planted BEFORE INSERT ON budgetkit_search_numbers WHEN new.id = 13 BEGIN
  SELECT RAISE(FAIL, 'planted');
END`;

describe("a budget whose write fails halfway", () => {
  let folder: TemporaryFolder;
  let host: BetterSqlite3.Database;
  let store: Store;

  beforeEach(async () => {
    folder = temporaryFolder();
    store = sqliteStore(folder.file("budgets.db"), { limiter: "memory" });
    await store.migrate();
    host = new BetterSqlite3(folder.file("budgets.db"));
    host.exec(FAILS_HALFWAY);
  });

  afterEach(async () => {
    host.close();
    await store.close();
    folder.remove();
  });

  const insert = (id: number, on: Pick<Store, "commit"> = store) =>
    on.commit(insertBudgetCommit(aBudget({ id: String(id) })));

  async function stored(): Promise<readonly string[]> {
    const { entries, total } = await store.listBudgets("1", aBudgetQuery({ order: "asc" }));
    expect(total).toBe(entries.length);
    return entries.map(({ id }) => id);
  }

  it("a budget whose write fails halfway leaves nothing", async () => {
    await expect(insert(13)).rejects.toThrow("planted");
    expect(await stored()).toEqual([]);
  });

  it("a budget whose write fails halfway leaves nothing, and the rest of its commit stays", async () => {
    const outcomes = await Promise.allSettled([12, 13, 14].map((id) => insert(id)));
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await stored()).toEqual(["12", "14"]);
  });

  it("a budget whose write fails in a host's transaction leaves nothing, and the transaction goes on", async () => {
    host.exec("BEGIN IMMEDIATE");
    const joined = store.withConnection(host);
    await expect(insert(13, joined)).rejects.toThrow("planted");
    await insert(14, joined);
    host.exec("COMMIT");
    expect(await stored()).toEqual(["14"]);
  });
});
