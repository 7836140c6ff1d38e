import {
  insertBudgetCommit,
  insertBusinessCommit,
  recordCommit,
  replaceBudgetCommit,
  type Store,
} from "@budgetkit/core/store";
import { trigramsOf } from "@budgetkit/store-kit";
import { aBudget, aBudgetQuery, aBusiness, aCatalogQuery, aCustomer, anItem } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { SqliteDatabase } from "../driver/sqlite-database.js";
import { connect, type OwnConnection } from "../engine/connection.js";
import { openDatabase } from "../engine/database.js";
import { migrate } from "../engine/migrations.js";
import { sqliteStore } from "../index.js";
import { MIGRATIONS } from "../schema.js";
import { explainedStore } from "../testing/explained-store.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";
import { candidateFinder } from "./search-candidates.js";

/** More than the block of numbers that the index receives at once. */
const ROWS = 300;
const TRIGRAMS = ["zeb", "ebr", "bra"];

/** Larger than what the index receives. */
const LARGE = `zebra ${"0123456789".repeat(500)}`;

const budget = (id: number, notes: string, version = 1) => aBudget({ id: String(id), version, notes, items: [] });

describe("a search of the index", () => {
  let folder: TemporaryFolder;
  let store: Store;
  let database: SqliteDatabase; // as another process has it open
  let connection: OwnConnection;

  beforeEach(async () => {
    folder = temporaryFolder();
    store = sqliteStore(folder.file("budgets.db"), { limiter: "memory" });
    await store.migrate();
    await store.commit(insertBusinessCommit(aBusiness({ id: "1" })));
    database = openDatabase(folder.file("budgets.db"));
    connection = connect(database);
    await inserted(1, ROWS, (id) => (id === 7 ? "zebra" : "oak"));
  });

  afterEach(async () => {
    database.close();
    await store.close();
    folder.remove();
  });

  async function inserted(first: number, last: number, notesOf: (id: number) => string): Promise<void> {
    const ids = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    await Promise.all(ids.map((id) => store.commit(insertBudgetCommit(budget(id, notesOf(id))))));
  }

  /** The ids that a search finds when `write` is committed after its read of that number. */
  async function foundWith(write: () => Promise<unknown>, read: number): Promise<readonly unknown[] | null> {
    let reads = 0;
    const interrupted = {
      ...connection,
      read: async <T>(query: () => T): Promise<T> => {
        const rows = await connection.read(query);
        reads += 1;
        if (reads === read) await write();
        return rows;
      },
    };
    const found = await candidateFinder(interrupted, "budgets", Number)(1, TRIGRAMS, "zebra");
    expect(reads).toBeGreaterThanOrEqual(read);
    return found;
  }

  const found = () => candidateFinder(connection, "budgets", Number)(1, TRIGRAMS, "zebra");

  it.each([1, 2, 3])("a search finds a budget whose text is written again after its read %i", async (read) => {
    const write = () => store.commit(replaceBudgetCommit(budget(7, "zebra once more", 2), 1));
    expect(await foundWith(write, read)).toContain(7);
  });

  it("a search finds the one text with words that others have in each block", async () => {
    const insert = database.prepare(
      `INSERT INTO budgetkit_budgets (business_id, id, version, status, customer_id, currency, total, created_at,
         search_text, document)
       VALUES (1, ?, 1, 'DRAFT', 'c', 'USD', 0, ?, ?, '{}')`,
    );
    database.exec("BEGIN");
    for (let id = ROWS + 1; id <= 17_000; id += 1) {
      const text = id === 1_000 ? "boiler kitchen sink" : id % 2 === 0 ? "boiler kitchen" : "kitchen sink";
      insert.run(id, id, text);
    }
    database.exec("COMMIT");
    await store.commit(insertBudgetCommit(budget(17_001, "oak"))); // indexes the full blocks
    const trigrams = trigramsOf("boiler kitchen sink");
    expect(await candidateFinder(connection, "budgets", Number)(1, trigrams, "boiler kitchen sink")).toContain(1_000);
  });

  it("a search finds a text in a full block that waits for the index", async () => {
    const insert = database.prepare(
      `INSERT INTO budgetkit_budgets (business_id, id, version, status, customer_id, currency, total, created_at,
         search_text, document)
       VALUES (1, ?, 1, 'DRAFT', 'c', 'USD', 0, 1, 'zebra', '{}')`,
    );
    for (let id = ROWS + 1; id <= 2 * ROWS; id += 1) insert.run(id);
    const all = Array.from({ length: ROWS }, (_, index) => ROWS + 1 + index);
    expect(await found()).toEqual(expect.arrayContaining([7, ...all]));
  });

  it("a search finds a text across two fields, whose trigrams the index lacks", async () => {
    const notes = "zebra";
    const items = [anItem({ description: "yarrow" })];
    await inserted(999, 999, () => "yarrow");
    await store.commit(insertBudgetCommit(aBudget({ id: "1000", notes, items })));
    await inserted(ROWS + 1, ROWS + 300, () => "oak");
    for (const search of ["bra\u001fyar", "a\u001fy"]) {
      const page = await store.listBudgets("1", aBudgetQuery({ search, now: 0 }));
      expect(page).toMatchObject({ entries: [{ id: "1000" }], total: 1 });
    }
  });

  it("a search finds all texts when so many are written meanwhile that the index receives them", async () => {
    const write = async () => {
      for (let id = ROWS - 4; id <= ROWS; id += 1) await store.commit(replaceBudgetCommit(budget(id, "zebra", 2), 1));
      await inserted(ROWS + 1, ROWS + 300, () => "zebra");
    };
    expect(await foundWith(write, 1)).toEqual(expect.arrayContaining([7, ROWS - 4, ROWS, ROWS + 300]));
  });

  it("a search finds large texts without the index, which would take seconds for a block of them", async () => {
    await inserted(ROWS + 1, ROWS + 300, () => LARGE);
    expect(await found()).toEqual(expect.arrayContaining([7, ROWS + 1, ROWS + 300]));
    database.exec("CREATE VIRTUAL TABLE temp.indexed USING fts5vocab(main, budgetkit_search_index, row)");
    const trigrams = database.prepare("SELECT term FROM indexed").pluck().all();
    expect(trigrams).toContain("zeb");
    expect(trigrams).not.toContain("012");
  });

  it("a search finds a text that becomes large, and one that no longer is", async () => {
    await store.commit(replaceBudgetCommit(budget(8, LARGE, 2), 1));
    await store.commit(replaceBudgetCommit(budget(9, LARGE, 2), 1));
    await inserted(ROWS + 1, ROWS + 300, () => "oak");
    expect(await found()).toEqual(expect.arrayContaining([7, 8, 9]));
    await store.commit(replaceBudgetCommit(budget(8, "zebra", 3), 2));
    await store.commit(replaceBudgetCommit(budget(9, "oak", 3), 2));
    await inserted(ROWS + 301, ROWS + 600, () => "oak");
    const ids = await found();
    expect(ids).toEqual(expect.arrayContaining([7, 8]));
    expect(ids).not.toContain(9);
  });
});

it("a search finds a large text from before the step that leaves it out of the index", async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const database = openDatabase(folder.file("budgets.db"));
  migrate(database, MIGRATIONS.slice(0, 6));
  insertTexts(database, [LARGE]);
  const store = sqliteStore(database, { limiter: "memory" });
  await store.migrate();
  const ids = Array.from({ length: ROWS }, (_, index) => index + 2);
  await Promise.all(ids.map((id) => store.commit(insertBudgetCommit(budget(id, "oak")))));
  expect(await candidateFinder(connect(database), "budgets", Number)(1, TRIGRAMS, "zebra")).toContain(1);
  await store.close();
  database.close();
});

it("a search finds texts that an earlier release has indexed one by one", async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const database = openDatabase(folder.file("budgets.db"));
  migrate(database, MIGRATIONS.slice(0, 18));
  const texts = Array.from({ length: ROWS }, (_, index) => (index < 9 || index === 255 ? "zebra" : "oak"));
  insertTexts(database, texts);
  const store = sqliteStore(database, { limiter: "memory" });
  await store.migrate();
  const ids = Array.from({ length: ROWS }, (_, index) => ROWS + 1 + index);
  await Promise.all(ids.map((id) => store.commit(insertBudgetCommit(budget(id, id === 512 ? "zebra" : "oak")))));
  const found = await candidateFinder(connect(database), "budgets", Number)(1, TRIGRAMS, "zebra");
  expect(found).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 256, 512]);
  await store.close();
  database.close();
});

/** Budgets of business 1 with these texts, as an earlier release has written them. */
function insertTexts(database: SqliteDatabase, texts: readonly string[]): void {
  const insert = database.prepare(
    `INSERT INTO budgetkit_budgets
       (business_id, id, version, status, customer_id, currency, total, created_at, search_text, document)
     VALUES (1, ?, 1, 'PENDING', '1', 'USD', 1, 1, ?, '{}')`,
  );
  for (const [index, text] of texts.entries()) insert.run(index + 1, text);
}

/** More than the blocks that a search reads the texts of. */
const MANY = 16_100;

it("a search tries the other trigrams too before it reads the whole list", async () => {
  const { store, database, plansOf, close } = await explainedStore();
  await store.commit(
    recordCommit("customer", aCustomer({ id: "searched", name: "abcdefg", cuit: null, email: null }), "absent"),
  );
  database.exec(`
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${11 * MANY})
    INSERT INTO budgetkit_customers (business_id, id, version, name_key, created_at, name, search_text, document)
    SELECT 1, 'id-' || n, 1, '', n, '',
      CASE WHEN n >= ${8 * MANY} THEN 'efg' WHEN n % 8 = 1 THEN 'abc bcd cde def' ELSE 'oak' END, '{}'
    FROM numbers
  `);
  await store.commit(
    recordCommit("customer", aCustomer({ id: "last", name: "oak", cuit: null, email: null }), "absent"),
  ); // indexes them
  const plans = await plansOf(async () => {
    const page = await store.listRecords("customer", "1", aCatalogQuery({ search: "abcdefg" }));
    expect(page).toMatchObject({ entries: [{ id: "searched" }], total: 1 });
  });
  // In steps of 50,000 records: three until the rarest trigrams lead to too many blocks, and four with the others.
  expect(plans.filter((plan) => plan.startsWith("SCAN budgetkit_search_index"))).toHaveLength(3 + 4);
  expect(plans.filter((plan) => plan.includes("customers_by_"))).toHaveLength(2); // the sample, after its lengths
  expect(plans.filter((plan) => plan.startsWith("SCAN block"))).toEqual([
    expect.stringMatching(
      /; SEARCH numbers USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\); SEARCH record USING INDEX \S+ \(business_id=\? AND id=\?\)$/,
    ),
  ]);
  await close();
});
