import assert from "node:assert/strict";
import type { Budget, Store } from "@budgetkit/core/store";
import {
  aBudget,
  aBudgetQuery,
  aClaim,
  anEvent,
  anEventQuery,
  anIdempotencyRecord,
  anItem,
  FIXTURE_TIME,
} from "../fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";
import { subscribe } from "./webhook-samples.js";

const BUSINESS = "1";

export function budgetCases(suite: Suite): void {
  insertCases(suite);
  replaceCases(suite);
  raceCases(suite);
  copyCases(suite);
}

function insertCases({ describe, it }: Suite): void {
  describe("adding a budget", () => {
    it("an added budget is readable at once", async (store) => {
      assert.equal(await store.insertBudget(aBudget(), [], null), "written");
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget());
    });

    it("adding a budget commits its events with it", async (store) => {
      await store.insertBudget(aBudget(), [anEvent({ id: "90" }), anEvent({ id: "91" })], null);
      assert.deepEqual(await eventIds(store), ["91", "90"]);
    });

    it("rejects a budget whose id is taken, and leaves the first unchanged", async (store) => {
      await store.insertBudget(aBudget({ notes: "first" }), [], null);
      await assert.rejects(store.insertBudget(aBudget({ notes: "second" }), [anEvent()], null));
      assert.equal((await store.findBudget(BUSINESS, "10"))?.notes, "first");
      assert.deepEqual(await eventIds(store), []);
    });

    it("accepts the other budgets when one of many concurrent ones is rejected", async (store) => {
      await store.insertBudget(aBudget({ id: "5" }), [], null);
      const settled = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) => store.insertBudget(aBudget({ id: String(index + 1) }), [], null)),
      );
      assert.equal(settled.filter(({ status }) => status === "rejected").length, 1);
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 10);
    });

    it("keeps all of 40 budgets that are added concurrently", async (store) => {
      const outcomes = await allAtOnce(40, (index) =>
        store.insertBudget(aBudget({ id: String(100 + index) }), [anEvent({ id: String(900 + index) })], null),
      );
      assert.equal(countOf(outcomes, "written"), 40);
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 40);
      assert.equal((await store.listEvents(BUSINESS, anEventQuery())).total, 40);
    });

    it("a total keeps the largest integer that a double holds exactly", async (store) => {
      const id = String(Number.MAX_SAFE_INTEGER);
      await store.insertBudget(aBudget({ id }), [], null);
      assert.equal((await store.findBudget(BUSINESS, id))?.id, id);
      assert.equal(await store.findBudget(BUSINESS, "9007199254740990"), null);
    });
  });
}

function replaceCases({ describe, it }: Suite): void {
  describe("replacing a budget", () => {
    it("replacing a budget stores the new value", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const next = aBudget({ version: 2, notes: "changed", items: [anItem({ description: "Chair" })], total: 5 });
      assert.equal(await store.replaceBudget(next, 1, [], null), "written");
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), next);
    });

    it("refuses to replace a budget at a past version, and changes nothing (stale)", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const second = aBudget({ version: 2, notes: "second" });
      await store.replaceBudget(second, 1, [], null);
      assert.equal(await store.replaceBudget(aBudget({ version: 2, notes: "late" }), 1, [], null), "stale");
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), second);
    });

    it("refuses to replace a budget at a future version (stale)", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      assert.equal(await store.replaceBudget(aBudget({ version: 3 }), 2, [], null), "stale");
      assert.equal((await store.findBudget(BUSINESS, "10"))?.version, 1);
    });

    it("refuses to replace an unknown budget, and adds none (stale)", async (store) => {
      assert.equal(await store.replaceBudget(aBudget({ version: 2 }), 1, [anEvent()], null), "stale");
      assert.equal(await store.findBudget(BUSINESS, "10"), null);
      assert.deepEqual(await eventIds(store), []);
    });

    it("a stale replacement leaves no event", async (store) => {
      await store.insertBudget(aBudget({ version: 4 }), [], null);
      await store.replaceBudget(aBudget({ version: 4 }), 3, [anEvent(), anEvent({ id: "91" })], null);
      assert.deepEqual(await eventIds(store), []);
    });

    it("a stale replacement leaves the idempotency claim open", async (store) => {
      await store.insertBudget(aBudget({ version: 4 }), [], null);
      await store.claimKey(aClaim(), FIXTURE_TIME);
      assert.equal(await store.replaceBudget(aBudget({ version: 4 }), 3, [], anIdempotencyRecord()), "stale");
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), FIXTURE_TIME), { kind: "in-flight" });
    });

    it("replacing a budget touches no other budget", async (store) => {
      await store.insertBudget(aBudget({ id: "10" }), [], null);
      await store.insertBudget(aBudget({ id: "11" }), [], null);
      await store.replaceBudget(aBudget({ id: "10", version: 2, notes: "changed" }), 1, [], null);
      assert.deepEqual(await store.findBudget(BUSINESS, "11"), aBudget({ id: "11" }));
    });

    it("a deleted budget keeps its deletion, so that it can be restored", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const deletion = { deletedAt: FIXTURE_TIME + 5, from: "PENDING" } as const;
      await store.replaceBudget(aBudget({ version: 2, status: "DELETED", deletion }), 1, [], null);
      assert.deepEqual((await store.findBudget(BUSINESS, "10"))?.deletion, deletion);
      await store.replaceBudget(aBudget({ version: 3 }), 2, [], null);
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ version: 3 }));
    });
  });
}

function raceCases({ describe, it }: Suite): void {
  describe("writers that race", () => {
    it("lets exactly one of 20 writers of the same budget version through", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const outcomes = await allAtOnce(20, (index) =>
        store.replaceBudget(aBudget({ version: 2, notes: `writer ${index}` }), 1, [], null),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal(countOf(outcomes, "stale"), 19);
      const winner = `writer ${outcomes.indexOf("written")}`;
      assert.equal((await store.findBudget(BUSINESS, "10"))?.notes, winner);
    });

    it("keeps the events of the winning writer alone", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const outcomes = await allAtOnce(20, (index) =>
        store.replaceBudget(aBudget({ version: 2 }), 1, [anEvent({ id: String(900 + index) })], null),
      );
      assert.deepEqual(await eventIds(store), [String(900 + outcomes.indexOf("written"))]);
    });

    it("approval and expiry never both win from one version", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const [approval, expiry] = await Promise.all([
        store.replaceBudget(
          aBudget({ version: 2, status: "APPROVED", approvedAt: 1, approvedBy: "user:1" }),
          1,
          [],
          null,
        ),
        store.replaceBudget(aBudget({ version: 2, status: "EXPIRED" }), 1, [], null),
      ]);
      assert.deepEqual([approval, expiry].sort(), ["stale", "written"]);
      const status = (await store.findBudget(BUSINESS, "10"))?.status;
      assert.equal(status, approval === "written" ? "APPROVED" : "EXPIRED");
    });

    it("loses no update of 15 writers that read again when they are stale", async (store) => {
      await store.insertBudget(aBudget({ metadata: { count: 0 } }), [], null);
      await allAtOnce(15, () => increment(store));
      const budget = await store.findBudget(BUSINESS, "10");
      assert.deepEqual(budget?.metadata, { count: 15 });
      assert.equal(budget?.version, 16);
    });

    it("rejects the one of many new budgets whose id is taken, and writes the others and their events", async (store) => {
      await subscribe(store, BUSINESS);
      await store.insertBudget(aBudget({ id: "103", notes: "first" }), [], null);
      const outcomes = await allAtOnce(6, (index) => {
        const id = String(100 + index);
        return store
          .insertBudget(aBudget({ id }), [anEvent({ id: `9${index}`, subjectId: id })], null)
          .catch(() => "rejected");
      });
      assert.deepEqual(outcomes, ["written", "written", "written", "rejected", "written", "written"]);
      assert.equal((await store.findBudget(BUSINESS, "103"))?.notes, "first");
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 6);
      const waiting = (await store.findUndispatchedEvents(10)).map(({ subjectId }) => subjectId);
      assert.deepEqual(waiting.sort(), ["100", "101", "102", "104", "105"]);
    });

    it("lets concurrent writers of different budgets through", async (store) => {
      await allAtOnce(20, (index) => store.insertBudget(aBudget({ id: String(100 + index) }), [], null));
      const outcomes = await allAtOnce(20, (index) =>
        store.replaceBudget(aBudget({ id: String(100 + index), version: 2 }), 1, [], null),
      );
      assert.equal(countOf(outcomes, "written"), 20);
    });

    it("applies a chain of versions that is sent at once from the version it begins with", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const outcomes = await allAtOnce(10, (index) =>
        store.replaceBudget(aBudget({ version: index + 2 }), index + 1, [], null),
      );
      const written = countOf(outcomes, "written");
      assert.equal(outcomes[0], "written");
      assert.equal((await store.findBudget(BUSINESS, "10"))?.version, written + 1);
    });
  });
}

async function increment(store: Store): Promise<void> {
  for (;;) {
    const budget = await store.findBudget(BUSINESS, "10");
    if (budget === null) throw new Error("the budget is gone");
    const next = { ...budget, version: budget.version + 1, metadata: { count: Number(budget.metadata.count) + 1 } };
    if ((await store.replaceBudget(next, budget.version, [], null)) === "written") return;
  }
}

function copyCases({ describe, it }: Suite): void {
  describe("what is stored is the store's own", () => {
    it("a stored budget does not change when the caller alters its input", async (store) => {
      const budget = aBudget({ metadata: { tags: ["a"] } });
      await store.insertBudget(budget, [], null);
      alter(budget);
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ metadata: { tags: ["a"] } }));
    });

    it("a stored budget does not change when the caller alters its replacement", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const next = aBudget({ version: 2, metadata: { tags: ["a"] } });
      await store.replaceBudget(next, 1, [], null);
      alter(next);
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ version: 2, metadata: { tags: ["a"] } }));
    });

    it("a stored budget does not change when a reader alters what it read", async (store) => {
      await store.insertBudget(aBudget({ metadata: { tags: ["a"] } }), [], null);
      const found = await store.findBudget(BUSINESS, "10");
      if (found !== null) alter(found);
      const [listed] = (await store.listBudgets(BUSINESS, aBudgetQuery())).entries;
      if (listed !== undefined) alter(listed);
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ metadata: { tags: ["a"] } }));
    });

    it("a stored event does not change when the caller alters its input", async (store) => {
      const data = { budgetId: "10", total: 5 };
      await store.insertBudget(aBudget(), [anEvent({ data })], null);
      data.total = 6;
      const [event] = (await store.listEvents(BUSINESS, anEventQuery())).entries;
      assert.deepEqual(event?.data, { budgetId: "10", total: 5 });
    });
  });
}

/** Alters a budget in several depths; a store may as well have frozen it. */
function alter(budget: Budget): void {
  const targets: object[] = [budget, budget.metadata, ...budget.items];
  for (const target of targets) {
    if (!Object.isFrozen(target)) Object.assign(target, { notes: "altered", description: "altered" });
  }
}

async function eventIds(store: Store): Promise<string[]> {
  return (await store.listEvents(BUSINESS, anEventQuery())).entries.map((event) => event.id);
}
