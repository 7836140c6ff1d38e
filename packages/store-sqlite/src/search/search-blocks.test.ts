import { insertBudgetCommit, recordCommit, replaceBudgetCommit, type Store } from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, aCustomer } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { openDatabase } from "../engine/database.js";
import { sqliteStore } from "../index.js";
import { sqliteHost } from "../testing/sqlite-host.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";

/** The index receives 256 texts at once, in 32 rows. */
const FULL = 256;
const ROWS_OF_FULL = 32;

const budget = (id: number, notes = "oak", version = 1) => aBudget({ id: String(id), version, notes, items: [] });

describe("a block of texts that is full", () => {
  let folder: TemporaryFolder;
  let store: Store;
  let database: SqliteDatabase; // as another process has it open

  beforeEach(async () => {
    folder = temporaryFolder();
    store = sqliteStore(folder.file("budgets.db"), { limiter: "memory" });
    await store.migrate();
    database = openDatabase(folder.file("budgets.db"));
    database.exec("CREATE VIRTUAL TABLE temp.indexed USING fts5vocab(main, budgetkit_search_index, row)");
  });

  afterEach(async () => {
    database.close();
    await store.close();
    folder.remove();
  });

  const insert = (...ids: number[]) => Promise.all(ids.map((id) => store.commit(insertBudgetCommit(budget(id)))));

  /** The rows of the index with a trigram. */
  const rowsWith = (trigram: string) =>
    Number(database.prepare("SELECT sum(doc) FROM indexed WHERE term = ?").pluck().get(trigram));

  const waiting = () => database.prepare("SELECT last FROM budgetkit_search_full").pluck().all();

  async function found(search: string): Promise<readonly string[]> {
    const { entries } = await store.listBudgets("1", aBudgetQuery({ search, limit: 100 }));
    return entries.map(({ id }) => id);
  }

  it("a full block of texts enters the index with the commit of its last text, eight texts a row", async () => {
    await insert(...numbers(1, FULL - 1));
    expect(rowsWith("oak")).toBe(0);
    await insert(FULL);
    expect(rowsWith("oak")).toBe(ROWS_OF_FULL);
    expect(waiting()).toEqual([]);
  });

  it("each table and business that fills a block in one commit enters the index once", async () => {
    await Promise.all([
      insert(...numbers(1, FULL - 1)),
      ...numbers(1, FULL - 1).map((id) =>
        store.commit(recordCommit("customer", aCustomer({ id: `${id}`, name: "pine", cuit: null }), "absent")),
      ),
      ...numbers(1_001, FULL - 1).map((id) => store.commit(insertBudgetCommit({ ...budget(id), businessId: "2" }))),
    ]);
    await Promise.all([
      insert(FULL),
      store.commit(recordCommit("customer", aCustomer({ id: "last", name: "pine", cuit: null }), "absent")),
      store.commit(insertBudgetCommit({ ...budget(2_000), businessId: "2" })),
    ]);
    expect([rowsWith("oak"), rowsWith("pin")]).toEqual([2 * ROWS_OF_FULL, ROWS_OF_FULL]);
  });

  it("a full block enters the index when another write of its commit fails, and not when its own does", async () => {
    await insert(...numbers(1, FULL - 1));
    const failing = () => store.commit(insertBudgetCommit(budget(1))); // its id is taken
    await expect(failing()).rejects.toThrow("UNIQUE");
    expect(rowsWith("oak")).toBe(0);
    const [failed, written] = await Promise.allSettled([failing(), insert(FULL)]);
    expect([failed.status, written.status]).toEqual(["rejected", "fulfilled"]);
    expect(rowsWith("oak")).toBe(ROWS_OF_FULL);
  });

  it("a full block enters the index with a host's transaction, unless that is rolled back", async () => {
    const host = sqliteHost(folder.file("budgets.db"));
    await insert(...numbers(1, FULL - 1));
    for (const end of ["rollback", "commit"] as const) {
      const transaction = await host.begin();
      await store.withConnection(transaction.connection).commit(insertBudgetCommit(budget(FULL, "zebra")));
      await transaction[end]();
      expect(rowsWith("oak") > 0).toBe(end === "commit");
      expect(await found("zebra")).toEqual(end === "commit" ? [String(FULL)] : []);
      expect(waiting()).toEqual([]);
    }
    host.close();
  });

  it("a new text of its last record does not fill a block again", async () => {
    await insert(...numbers(1, FULL));
    await store.commit(replaceBudgetCommit(budget(FULL, "zebra", 2), 1));
    expect(rowsWith("zeb")).toBe(0);
    await insert(...numbers(FULL + 1, FULL));
    expect(rowsWith("oak")).toBe(2 * ROWS_OF_FULL);
    expect(rowsWith("zeb")).toBe(1);
    expect(await found("zebra")).toEqual([String(FULL)]);
  });
});

function numbers(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
