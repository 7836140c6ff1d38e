import { insertBudgetCommit } from "@budgetkit/core/store";
import { aBudget, anEvent, anEventQuery, outcomeOf } from "@budgetkit/testing";
import { describe, expect, it } from "vitest";
import { testSchema } from "./testing/test-schema.js";

describe("while a host's transaction holds a business", () => {
  const schema = testSchema();

  it("commits of that business wait for its end, and those of others go on", async () => {
    const store = await schema.freshStore();
    const transaction = await schema.host.begin();
    await store
      .withConnection(transaction.connection)
      .commit(insertBudgetCommit(aBudget({ id: "10" }), { events: [anEvent({ id: "90" })] }));

    const settled: string[] = [];
    const same = [11, 12, 13].map((id) =>
      store
        .commit(insertBudgetCommit(aBudget({ id: String(id) }), { events: [anEvent({ id: `9${id}` })] }))
        .then(() => {
          settled.push(`1:${id}`);
        }),
    );
    for (let id = 20; id < 25; id += 1) {
      await store.commit(insertBudgetCommit(aBudget({ id: String(id), businessId: "2" })));
      settled.push(`2:${id}`);
    }
    expect(settled).toEqual(["2:20", "2:21", "2:22", "2:23", "2:24"]);

    await transaction.commit();
    await Promise.all(same);
    expect(settled.slice(5)).toEqual(["1:11", "1:12", "1:13"]);
    const { entries } = await store.listEvents("1", anEventQuery());
    expect(entries.map(({ id }) => id)).toEqual(["913", "912", "911", "90"]);
    await store.close();
  });

  it("commits of that business that have waited are committed together", async () => {
    const store = await schema.freshStore();
    const transaction = await schema.host.begin();
    await store.withConnection(transaction.connection).commit(insertBudgetCommit(aBudget({ id: "10" })));
    const waiting = Array.from({ length: 50 }, (_, index) =>
      outcomeOf(store, insertBudgetCommit(aBudget({ id: String(100 + index) }))),
    );
    await store.commit(insertBudgetCommit(aBudget({ id: "20", businessId: "2" })));
    await transaction.commit();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(["written"]));
    const [row] = await schema.query("SELECT count(*)::int AS n FROM @batches");
    expect(Number(row?.n)).toBeLessThan(10);
    await store.close();
  });

  it("commits of many businesses that wait leave connections to others", async () => {
    const store = await schema.freshStore();
    const transaction = await schema.host.begin();
    const businesses = Array.from({ length: 12 }, (_, index) => String(10 + index));
    const within = store.withConnection(transaction.connection);
    for (const businessId of businesses) await within.commit(insertBudgetCommit(aBudget({ id: "10", businessId })));
    const settled: string[] = [];
    const waiting = businesses.map(async (businessId) => {
      await store.commit(insertBudgetCommit(aBudget({ id: "11", businessId })));
      settled.push(businessId);
    });
    await store.commit(insertBudgetCommit(aBudget({ id: "20" }))); // with the first batch, which goes ahead without them
    for (let turn = 0; turn < 20; turn += 1) {
      await store.commit(insertBudgetCommit(aBudget({ id: String(21 + turn) })));
      expect(await store.findBudget("1", "20")).not.toBeNull();
    }
    expect(settled).toEqual([]);
    await transaction.commit();
    await Promise.all(waiting);
    expect(settled.sort()).toEqual(businesses);
    await store.close();
  });

  it("events stand in the order of the commits", async () => {
    const store = await schema.freshStore();
    const transaction = await schema.host.begin();
    await schema.host.rows();
    const early = await outcomeOf(
      store,
      insertBudgetCommit(aBudget({ id: "10" }), { events: [anEvent({ id: "90" })] }),
    );
    await store
      .withConnection(transaction.connection)
      .commit(insertBudgetCommit(aBudget({ id: "11" }), { events: [anEvent({ id: "91" })] }));
    const late = outcomeOf(store, insertBudgetCommit(aBudget({ id: "12" }), { events: [anEvent({ id: "92" })] }));
    await transaction.commit();
    expect([early, await late]).toEqual(["written", "written"]);
    const { entries } = await store.listEvents("1", anEventQuery());
    expect(entries.map(({ id }) => id)).toEqual(["92", "91", "90"]);
    await store.close();
  });

  it("ids come from a block at hand, though hosts' transactions have taken every connection", async () => {
    const store = await schema.freshStore();
    const first = await schema.host.begin();
    expect(await store.withConnection(first.connection).reserveIds("1", 3)).toBeGreaterThan(0);
    const others = await Promise.all(Array.from({ length: 7 }, () => schema.host.begin()));
    const ids = await Promise.all(others.map(({ connection }) => store.withConnection(connection).reserveIds("1", 2)));
    expect(new Set(ids).size).toBe(7);
    await Promise.all([first, ...others].map((transaction) => transaction.rollback()));
    await store.close();
  });

  it("keeps the lock_timeout that the host has set", async () => {
    const store = await schema.freshStore();
    const holding = await schema.host.begin();
    await store.withConnection(holding.connection).commit(insertBudgetCommit(aBudget({ id: "10" })));
    const client = await schema.pool.connect();
    await client.query("BEGIN; SET LOCAL lock_timeout = '7s'");
    const waiting = outcomeOf(store.withConnection(client), insertBudgetCommit(aBudget({ id: "11" })));
    await holding.commit();
    expect(await waiting).toBe("written");
    expect((await client.query("SHOW lock_timeout")).rows).toEqual([{ lock_timeout: "7s" }]);
    await client.query("ROLLBACK");
    client.release();
    await store.close();
  });

  it("refuses a pool, on which each statement may have a connection of its own", async () => {
    const store = await schema.freshStore();
    expect(() => store.withConnection(schema.pool)).toThrow(TypeError);
    await store.close();
  });
});
