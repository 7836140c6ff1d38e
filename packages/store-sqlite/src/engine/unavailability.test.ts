import { setImmediate } from "node:timers/promises";
import { insertBudgetCommit, type Store, StoreUnavailable } from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, anEvent, anEventQuery, FIXTURE_TIME, outcomeOf } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sqliteStore } from "../index.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";

const HOURLY = [{ lengthMs: 3_600_000, limit: 1 }];

/** Lets other work of the process run. */
async function turnsOfTheEventLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}

describe("a SQLite store that cannot write", () => {
  let folder: TemporaryFolder;
  let path: string;

  beforeEach(() => {
    folder = temporaryFolder();
    path = folder.file("budgets.db");
  });

  afterEach(() => {
    vi.useRealTimers();
    folder.remove();
  });

  /** Writes budgets at once until one is refused; gives how many were acknowledged. */
  async function writeUntilFull(store: Store): Promise<number> {
    let acknowledged = 0;
    for (let round = 0; ; round += 1) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) => {
          const id = String(1_000 + round * 20 + index);
          const budget = aBudget({ id, notes: "n".repeat(500) });
          return store.commit(insertBudgetCommit(budget, { events: [anEvent({ id, subjectId: id })] }));
        }),
      );
      acknowledged += outcomes.filter(({ status }) => status === "fulfilled").length;
      const refusals = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
      for (const reason of refusals) expect(reason).toBeInstanceOf(StoreUnavailable);
      if (refusals.length > 0) return acknowledged;
    }
  }

  it("a SQLite store on a full disk is unavailable, half-writes nothing, and goes on when there is room", async () => {
    const database = new BetterSqlite3(path);
    const store = sqliteStore(database);
    await store.migrate();
    const pages = Number(database.pragma("page_count", { simple: true }));
    database.pragma(`max_page_count = ${pages + 60}`);
    const acknowledged = await writeUntilFull(store);
    expect(acknowledged).toBeGreaterThan(0);

    const counted = (await store.listBudgets("1", aBudgetQuery({ limit: 1 }))).total;
    const stored = database.prepare("SELECT count(*) FROM budgetkit_budgets").pluck().get();
    const events = (await store.listEvents("1", anEventQuery({ limit: 1 }))).total;
    expect([counted, stored, events]).toEqual([acknowledged, acknowledged, acknowledged]);
    expect(database.pragma("integrity_check", { simple: true })).toBe("ok");

    database.pragma("max_page_count = 1000000");
    expect(await outcomeOf(store, insertBudgetCommit(aBudget({ id: "9" })))).toBe("written");
    await store.close();
    database.close();
  });

  it("a SQLite store behind a kept write lock is unavailable, and goes on when that is released", async () => {
    const database = new BetterSqlite3(path, { timeout: 0 });
    const store = sqliteStore(database);
    await store.migrate();
    const other = new BetterSqlite3(path);
    other.exec("BEGIN IMMEDIATE");
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    const refused = Promise.allSettled([
      store.commit(insertBudgetCommit(aBudget({ id: "10" }))),
      store.commit(insertBudgetCommit(aBudget({ id: "11" }))),
    ]);
    await turnsOfTheEventLoop(2);
    await vi.advanceTimersByTimeAsync(5_000);
    for (const outcome of await refused) {
      expect(outcome.status === "rejected" ? outcome.reason : outcome).toBeInstanceOf(StoreUnavailable);
    }
    vi.useRealTimers();
    expect(await store.findBudget("1", "10")).toBeNull();
    other.exec("ROLLBACK");
    expect(await outcomeOf(store, insertBudgetCommit(aBudget({ id: "10" })))).toBe("written");
    other.close();
    await store.close();
    database.close();
  });

  const waits: Readonly<Record<string, readonly [suffix: string, call: (store: Store) => Promise<unknown>]>> = {
    "a write": ["", (store) => store.commit(insertBudgetCommit(aBudget()))],
    "a decision of the limiter": ["-limits", (store) => store.consume("key:1:20", HOURLY, FIXTURE_TIME)],
  };
  for (const [name, [suffix, call]] of Object.entries(waits)) {
    it(`lets ${name} wait for the lock of another connection and serves others meanwhile`, async () => {
      const store = sqliteStore(path);
      await store.migrate();
      const other = new BetterSqlite3(path + suffix);
      other.exec("BEGIN IMMEDIATE");
      let isDone = false;
      const waiting = call(store).then(() => {
        isDone = true;
      });
      for (let request = 0; request < 20; request += 1) {
        await turnsOfTheEventLoop(10);
        expect(await store.findBudget("1", "99")).toBeNull();
      }
      expect(isDone).toBe(false);
      other.exec("ROLLBACK");
      await waiting;
      other.close();
      await store.close();
    });
  }

  it("a SQLite store on a read-only database refuses writes (StoreUnavailable)", async () => {
    const writable = sqliteStore(path);
    await writable.migrate();
    await writable.commit(insertBudgetCommit(aBudget()));
    const database = new BetterSqlite3(path, { readonly: true });
    const store = sqliteStore(database, { limiter: "memory" });
    expect(await store.findBudget("1", "10")).toEqual(aBudget());
    await expect(store.commit(insertBudgetCommit(aBudget({ id: "11" })))).rejects.toThrow(StoreUnavailable);
    await store.close();
    database.close();
    await writable.close();
  });
});
