import { insertBudgetCommit, testDeliveryCommit } from "@budgetkit/core/store";
import { aBudget, aDelivery, anAttempt, FIXTURE_TIME as NOW } from "@budgetkit/testing";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sqliteStore } from "../index.js";
import { type TemporaryFolder, temporaryFolder } from "../testing/temporary-folder.js";

const FULL = 2;
const RELAXED = "synchronous = NORMAL";

describe("what waits for the disk", () => {
  let folder: TemporaryFolder;
  let database: BetterSqlite3.Database;

  beforeEach(() => {
    folder = temporaryFolder();
    database = new BetterSqlite3(folder.file("budgets.db"));
  });

  afterEach(() => {
    database.close();
    folder.remove();
  });

  async function storeWithDelivery() {
    const store = sqliteStore(database, { limiter: "memory" });
    await store.migrate();
    await store.commit(testDeliveryCommit(aDelivery()));
    const relaxing = vi.spyOn(database, "pragma");
    const relaxed = () => relaxing.mock.calls.filter(([pragma]) => pragma === RELAXED).length;
    return { store, relaxed };
  }

  const lease = { token: "lease-1", until: NOW + 60_000 };
  const claim = { lease, now: NOW, limit: 5, perBusiness: 5, perSubscriber: 5, inFlight: [] };
  const end = { businessId: "1", deliveryId: "70", fencingToken: "lease-1", attempt: anAttempt(), refundedAttempts: 0 };
  const settlement = { ...end, status: "delivered", nextAttemptAt: null, now: NOW } as const;

  it("claims and settlements do not wait for the disk, and everything else does", async () => {
    const { store, relaxed } = await storeWithDelivery();
    await store.claimDue(claim);
    expect(relaxed()).toBe(1);
    expect(database.pragma("synchronous", { simple: true })).toBe(FULL);
    await store.settle(settlement);
    expect(relaxed()).toBe(2);
    expect(database.pragma("synchronous", { simple: true })).toBe(FULL);
    await store.commit(insertBudgetCommit(aBudget()));
    await store.redeliver("1", "70", NOW, NOW);
    expect(relaxed()).toBe(2);
  });

  it("a claim that shares its commit with a budget waits for the disk", async () => {
    const { store, relaxed } = await storeWithDelivery();
    const [claimed] = await Promise.all([store.claimDue(claim), store.commit(insertBudgetCommit(aBudget()))]);
    expect(claimed).toHaveLength(1);
    expect(relaxed()).toBe(0);
  });

  it("everything waits for the disk again after a settlement that failed", async () => {
    const { store, relaxed } = await storeWithDelivery();
    await store.claimDue(claim);
    await store.settle(settlement);
    await store.redeliver("1", "70", NOW, NOW);
    await store.claimDue({ ...claim, lease: { ...lease, token: "lease-2" } });
    await expect(store.settle({ ...settlement, fencingToken: "lease-2" })).rejects.toThrow(); // its number is taken
    expect(relaxed()).toBe(4);
    expect(database.pragma("synchronous", { simple: true })).toBe(FULL);
  });
});
