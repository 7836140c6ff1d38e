import { insertBudgetCommit, recordCommit, type Store } from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, aCatalogQuery, anItem, aProduct } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sqliteBudgetList } from "../budgets/budget-list.js";
import { sqliteRecordList } from "../catalog/catalog-list.js";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { connect, type OwnConnection } from "../engine/connection.js";
import { openDatabase } from "../engine/database.js";
import { sqliteStore } from "../index.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";
import { countForStep } from "./compare-texts.js";

/** More than the sample that a search reads first. */
const ROWS = 210;

const LARGE = "long ".repeat(11_400); // 57 kB
const STEP_BYTES = 2 * 1024 * 1024;

/** Steps that texts of so many bytes take. */
const stepsOf = (bytes: number) => Math.floor(bytes / STEP_BYTES);

describe("a search of large texts", () => {
  let folder: TemporaryFolder;
  let store: Store;
  let database: SqliteDatabase;
  let connection: OwnConnection;

  beforeEach(async () => {
    folder = temporaryFolder();
    store = sqliteStore(folder.file("budgets.db"), { limiter: "memory" });
    await store.migrate();
    database = openDatabase(folder.file("budgets.db"));
    connection = connect(database);
  });

  afterEach(async () => {
    database.close();
    await store.close();
    folder.remove();
  });

  /** A connection that counts its reads. */
  function counted(): OwnConnection & { reads: number } {
    const counting = {
      ...connection,
      reads: 0,
      read: <T>(query: () => T): Promise<T> => {
        counting.reads += 1;
        return connection.read(query);
      },
    };
    return counting;
  }

  async function insertBudgets(): Promise<void> {
    const ids = Array.from({ length: ROWS }, (_, index) => index + 1);
    const items = [anItem({ description: LARGE })];
    await Promise.all(
      ids.map((id) => store.commit(insertBudgetCommit(aBudget({ id: String(id), notes: `zebra ${id}`, items })))),
    );
  }

  it.each([
    ["along the list", { search: "zq" }],
    ["by the index", { search: "zebra 209" }],
    ["among the few that another filter leaves", { search: "zebra 209", customerId: aBudget().customerId }],
  ])("a search compares two megabytes of budgets in a step, %s", async (_, query) => {
    await insertBudgets();
    const counting = counted();
    const { total } = await sqliteBudgetList(counting)("1", aBudgetQuery(query));
    expect(total).toBe(query.search === "zq" ? 0 : 1);
    expect(counting.reads).toBeGreaterThanOrEqual(stepsOf(ROWS * LARGE.length));
  });

  it("a search compares two megabytes of products in a step", async () => {
    const ids = Array.from({ length: ROWS }, (_, index) => String(index + 1));
    await Promise.all(
      ids.map((id) =>
        store.commit(recordCommit("product", aProduct({ id, name: `Zebra ${id}`, description: LARGE }), "absent")),
      ),
    );
    for (const search of ["zq", "zebra 209"]) {
      const counting = counted();
      await sqliteRecordList(counting, "products")("1", aCatalogQuery({ search }));
      expect(counting.reads).toBeGreaterThanOrEqual(stepsOf(ROWS * LARGE.length));
    }
  });

  it("runs one search of a business at a time, without holding up those of others", async () => {
    await insertBudgets();
    await store.commit(insertBudgetCommit(aBudget({ id: "1", businessId: "2", notes: "zebra" })));
    const ended: string[] = [];
    const search = async (businessId: string, name: string): Promise<void> => {
      await store.listBudgets(businessId, aBudgetQuery({ search: "zq" }));
      ended.push(name);
    };
    const own = ["first", "second", "third"].map((name) => search("1", name));
    const products = store
      .listRecords("product", "1", aCatalogQuery({ search: "zq" }))
      .then(() => ended.push("products"));
    await Promise.all([...own, products, search("2", "other business")]);
    expect(ended).toEqual(["other business", "first", "second", "third", "products"]);
  });
});

it("a search step compares at least one text, and no more than two megabytes of several", () => {
  expect(countForStep([])).toBe(0);
  expect(countForStep([STEP_BYTES + 1, 1])).toBe(1);
  expect(countForStep([STEP_BYTES, 0, 1])).toBe(2);
  expect(countForStep([1, 2, 3])).toBe(3);
});
