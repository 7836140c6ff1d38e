import { copyFileSync } from "node:fs";
import { insertBudgetCommit, insertBusinessCommit, StoreUnavailable } from "@budgetkit/core/store";
import { aBudget, aBusiness, anEvent, SCALE } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkIntegrity, sqliteStore } from "../index.js";
import { damage, damagePage, pagesOf } from "../testing/damaged-file.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";

const QUIET = { withinMs: 60_000, onProgress: () => {} };

describe("a damaged SQLite file", () => {
  let folder: TemporaryFolder;
  let path: string;

  beforeEach(async () => {
    folder = temporaryFolder();
    path = folder.file("budgets.db");
    const store = sqliteStore(path);
    await store.migrate();
    await store.commit(insertBusinessCommit(aBusiness()));
    for (const id of ["10", "11", "12"])
      await store.commit(insertBudgetCommit(aBudget({ id }), { events: [anEvent({ id })] }));
    await store.close();
  });

  afterEach(() => folder.remove());

  it("a damaged file refuses writes once one met the damage, is not ready, and still reads what is intact", async () => {
    damage(path, "budgetkit_budgets_by_creation");
    const store = sqliteStore(path);
    await store.migrate();
    expect(await store.findOutage()).toBeNull(); // nothing has read the page so far
    const writes = [
      store.commit(insertBudgetCommit(aBudget({ id: "13" }))),
      store.commit(insertBusinessCommit(aBusiness({ id: "2" }))),
    ];
    for (const outcome of await Promise.allSettled(writes)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailable) });
    }
    await expect(store.commit(insertBusinessCommit(aBusiness({ id: "3" })))).rejects.toThrow(
      "the database file is damaged",
    );
    expect(await store.findOutage()).toContain("the database file is damaged");
    expect(await store.findBudget("1", "10")).toMatchObject({ id: "10" });
    expect(await store.findBusiness("2")).toBeNull();
    await store.close();
  });

  it("a damaged file refuses writes after a read has met the damage (StoreUnavailable)", async () => {
    damage(path, "budgetkit_budgets");
    const store = sqliteStore(path);
    await store.migrate();
    await expect(store.findBudget("1", "10")).rejects.toThrow(StoreUnavailable);
    await expect(store.commit(insertBusinessCommit(aBusiness({ id: "2" })))).rejects.toThrow(
      "the database file is damaged",
    );
    await store.close();
  });

  /** A small run leaves most pages to a full one. */
  const STEP = SCALE === "full" ? 1 : 8;

  it("checkIntegrity finds damage in any page of a file, and none in an intact file", () => {
    new BetterSqlite3(path).exec("VACUUM").close(); // a free page, which a migration leaves, has nothing to damage
    expect(checkIntegrity(path, QUIET)).toEqual({ problems: [], unchecked: [] });
    const damaged = folder.file("damaged.db");
    const missed: number[] = [];
    for (let page = 2; page <= pagesOf(path); page += STEP) {
      copyFileSync(path, damaged);
      damagePage(damaged, page);
      if (findsNothing(damaged)) missed.push(page);
    }
    expect(missed).toEqual([]);
    copyFileSync(path, damaged);
    damagePage(damaged, 1);
    expect(() => checkIntegrity(damaged, QUIET)).toThrow("not a database");
  });

  it("checkIntegrity goes through a large file table by table, with progress, within its time", () => {
    const steps: number[] = [];
    const check = { withinMs: 60_000, onProgress: (done: number) => steps.push(done) };
    expect(checkIntegrity(path, check, 0)).toEqual({ problems: [], unchecked: [] });
    expect(steps.length).toBeGreaterThan(10);
    expect(checkIntegrity(path, { ...QUIET, withinMs: 0 }, 0).unchecked).toContain("budgetkit_budgets");
    damage(path, "budgetkit_budgets_by_creation");
    expect(checkIntegrity(path, QUIET, 0).problems).not.toEqual([]);
  });
});

/** True when the check neither reports damage nor throws. */
function findsNothing(path: string): boolean {
  try {
    return checkIntegrity(path, QUIET).problems.length === 0;
  } catch {
    return false;
  }
}
