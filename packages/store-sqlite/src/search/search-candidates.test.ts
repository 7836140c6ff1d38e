import type { Store } from "@budgetkit/core/store";
import { aBudget, aBusiness } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect, type OwnConnection } from "../engine/connection.js";
import { openDatabase, type SqliteDatabase } from "../engine/database.js";
import { sqliteStore } from "../index.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";
import { candidateFinder } from "./search-candidates.js";

/** More than the block of numbers that the index receives at once. */
const ROWS = 300;
const TRIGRAMS = ["zeb", "ebr", "bra"];

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
    await store.insertBusiness(aBusiness({ id: "1" }));
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
    await Promise.all(ids.map((id) => store.insertBudget(budget(id, notesOf(id)), [], null)));
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
    const found = await candidateFinder(interrupted, "budgets", Number)(1, TRIGRAMS);
    expect(reads).toBeGreaterThanOrEqual(read);
    return found;
  }

  it.each([1, 2])("finds a budget whose text is written again after its read %i", async (read) => {
    const write = () => store.replaceBudget(budget(7, "zebra once more", 2), 1, [], null);
    expect(await foundWith(write, read)).toContain(7);
  });

  it("finds all when so many are written meanwhile that the index receives them", async () => {
    const write = async () => {
      for (let id = ROWS - 4; id <= ROWS; id += 1) await store.replaceBudget(budget(id, "zebra", 2), 1, [], null);
      await inserted(ROWS + 1, ROWS + 300, () => "zebra");
    };
    expect(await foundWith(write, 1)).toEqual(expect.arrayContaining([7, ROWS - 4, ROWS, ROWS + 300]));
  });
});
