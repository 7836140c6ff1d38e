import { insertBudgetCommit, type Store, type StoreCommit, testDeliveryCommit } from "@budgetkit/core/store";
import { aBudget, aDelivery, anEvent, anEventQuery, outcomeOf } from "@budgetkit/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { postgresStore } from "../index.js";
import { testPool } from "../testing/test-pool.js";
import { testSchema } from "../testing/test-schema.js";

const created = (id: string, businessId: string): StoreCommit =>
  insertBudgetCommit(aBudget({ id, businessId, publicTokenHash: `${businessId}-${id}` }), {
    events: [anEvent({ id: `9${id}`, businessId, subjectId: id })],
  });

describe("commits beside one that fails", () => {
  const schema = testSchema();
  let store: Store;

  beforeEach(async () => {
    store = await schema.freshStore();
    const ended = aDelivery({ id: "70", status: "delivered", nextAttemptAt: null });
    await store.commit(testDeliveryCommit(ended));
  });

  afterEach(() => store.close());

  /** Fails in the process: the log of deliveries has the id. */
  const failing = () => store.commit(testDeliveryCommit(aDelivery({ id: "70" })));

  it("commits of other businesses are written once, and their ledgers have no gap", async () => {
    const ids = Array.from({ length: 6 }, (_, index) => String(100 + index));
    const outcomes = await Promise.allSettled([failing(), ...ids.map((id) => outcomeOf(store, created(id, "2")))]);
    expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "rejected"))).toEqual([
      "rejected",
      ...ids.map(() => "written"),
    ]);
    const { entries } = await store.listEvents("2", anEventQuery());
    expect(entries.map(({ sequence }) => sequence)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(6);
  });

  it("no connection goes back to the pool with a transaction", async () => {
    const pool = testPool({ connectionString: schema.url, max: 1 });
    const alone = postgresStore(pool, { schema: schema.schema, clock: "caller", listen: false });
    for (let round = 0; round < 3; round += 1) {
      await alone.commit(testDeliveryCommit(aDelivery({ id: "70" }))).catch(() => {});
      const client = await pool.connect();
      expect(client.getTransactionStatus()).toBe("I");
      client.release();
    }
    await alone.close();
    await pool.end();
  });
});
