import assert from "node:assert/strict";
import type { Budget, Store } from "@budgetkit/core/store";
import { insertBudgetCommit, replaceBudgetCommit } from "@budgetkit/core/store";
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
import { outcomeOf } from "../outcome.js";
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
    it("makes it readable at once", async (store) => {
      assert.equal(await outcomeOf(store, insertBudgetCommit(aBudget())), "written");
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget());
    });

    it("commits its events with it", async (store) => {
      await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent({ id: "90" }), anEvent({ id: "91" })] }));
      assert.deepEqual(await eventIds(store), ["91", "90"]);
    });

    it("rejects an id that is taken and leaves the budget that has it alone", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ notes: "first" })));
      await assert.rejects(outcomeOf(store, insertBudgetCommit(aBudget({ notes: "second" }), { events: [anEvent()] })));
      assert.equal((await store.findBudget(BUSINESS, "10"))?.notes, "first");
      assert.deepEqual(await eventIds(store), []);
    });

    it("lets the others through when one of many at once is rejected", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ id: "5" })));
      const settled = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) =>
          outcomeOf(store, insertBudgetCommit(aBudget({ id: String(index + 1) }))),
        ),
      );
      assert.equal(settled.filter(({ status }) => status === "rejected").length, 1);
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 10);
    });

    it("keeps all of 40 budgets that are added at once", async (store) => {
      const outcomes = await allAtOnce(40, (index) =>
        outcomeOf(
          store,
          insertBudgetCommit(aBudget({ id: String(100 + index) }), { events: [anEvent({ id: String(900 + index) })] }),
        ),
      );
      assert.equal(countOf(outcomes, "written"), 40);
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 40);
      assert.equal((await store.listEvents(BUSINESS, anEventQuery())).total, 40);
    });

    it("keeps the largest id that an integer holds exactly", async (store) => {
      const id = String(Number.MAX_SAFE_INTEGER);
      await store.commit(insertBudgetCommit(aBudget({ id })));
      assert.equal((await store.findBudget(BUSINESS, id))?.id, id);
      assert.equal(await store.findBudget(BUSINESS, "9007199254740990"), null);
    });
  });
}

function replaceCases({ describe, it }: Suite): void {
  describe("replacing a budget", () => {
    it("puts the new value in the place of the stored one", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const next = aBudget({ version: 2, notes: "changed", items: [anItem({ description: "Chair" })], total: 5 });
      assert.equal(await outcomeOf(store, replaceBudgetCommit(next, 1)), "written");
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), next);
    });

    it("is stale for a version that is past, and changes nothing", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const second = aBudget({ version: 2, notes: "second" });
      await store.commit(replaceBudgetCommit(second, 1));
      assert.equal(await outcomeOf(store, replaceBudgetCommit(aBudget({ version: 2, notes: "late" }), 1)), "stale");
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), second);
    });

    it("is stale for a version that is yet to come", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      assert.equal(await outcomeOf(store, replaceBudgetCommit(aBudget({ version: 3 }), 2)), "stale");
      assert.equal((await store.findBudget(BUSINESS, "10"))?.version, 1);
    });

    it("is stale for a budget that is not there, and does not add it", async (store) => {
      assert.equal(
        await outcomeOf(store, replaceBudgetCommit(aBudget({ version: 2 }), 1, { events: [anEvent()] })),
        "stale",
      );
      assert.equal(await store.findBudget(BUSINESS, "10"), null);
      assert.deepEqual(await eventIds(store), []);
    });

    it("leaves no event behind when it is stale", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ version: 4 })));
      await store.commit(
        replaceBudgetCommit(aBudget({ version: 4 }), 3, { events: [anEvent(), anEvent({ id: "91" })] }),
      );
      assert.deepEqual(await eventIds(store), []);
    });

    it("leaves the claim open when it is stale", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ version: 4 })));
      await store.claimKey(aClaim(), FIXTURE_TIME);
      assert.equal(
        await outcomeOf(store, replaceBudgetCommit(aBudget({ version: 4 }), 3, { completes: anIdempotencyRecord() })),
        "stale",
      );
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), FIXTURE_TIME), { kind: "in-flight" });
    });

    it("touches no other budget", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ id: "10" })));
      await store.commit(insertBudgetCommit(aBudget({ id: "11" })));
      await store.commit(replaceBudgetCommit(aBudget({ id: "10", version: 2, notes: "changed" }), 1));
      assert.deepEqual(await store.findBudget(BUSINESS, "11"), aBudget({ id: "11" }));
    });

    it("gives a deleted budget with its deletion, so that it can be restored", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const deletion = { deletedAt: FIXTURE_TIME + 5, from: "PENDING" } as const;
      await store.commit(replaceBudgetCommit(aBudget({ version: 2, status: "DELETED", deletion }), 1));
      assert.deepEqual((await store.findBudget(BUSINESS, "10"))?.deletion, deletion);
      await store.commit(replaceBudgetCommit(aBudget({ version: 3 }), 2));
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ version: 3 }));
    });
  });
}

function raceCases({ describe, it }: Suite): void {
  describe("writers that race", () => {
    it("lets exactly one of 20 writers of the same version through", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(store, replaceBudgetCommit(aBudget({ version: 2, notes: `writer ${index}` }), 1)),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal(countOf(outcomes, "stale"), 19);
      const winner = `writer ${outcomes.indexOf("written")}`;
      assert.equal((await store.findBudget(BUSINESS, "10"))?.notes, winner);
    });

    it("keeps the events of the winner alone", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(
          store,
          replaceBudgetCommit(aBudget({ version: 2 }), 1, { events: [anEvent({ id: String(900 + index) })] }),
        ),
      );
      assert.deepEqual(await eventIds(store), [String(900 + outcomes.indexOf("written"))]);
    });

    it("never lets approval and expiry both win from one version", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const [approval, expiry] = await Promise.all([
        outcomeOf(
          store,
          replaceBudgetCommit(aBudget({ version: 2, status: "APPROVED", approvedAt: 1, approvedBy: "user:1" }), 1),
        ),
        outcomeOf(store, replaceBudgetCommit(aBudget({ version: 2, status: "EXPIRED" }), 1)),
      ]);
      assert.deepEqual([approval, expiry].sort(), ["stale", "written"]);
      const status = (await store.findBudget(BUSINESS, "10"))?.status;
      assert.equal(status, approval === "written" ? "APPROVED" : "EXPIRED");
    });

    it("loses no update of 15 writers that read again when they are stale", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ metadata: { count: 0 } })));
      await allAtOnce(15, () => increment(store));
      const budget = await store.findBudget(BUSINESS, "10");
      assert.deepEqual(budget?.metadata, { count: 15 });
      assert.equal(budget?.version, 16);
    });

    it("rejects of many new budgets at once the one whose id is taken, and writes the others and their events", async (store) => {
      await subscribe(store, BUSINESS);
      await store.commit(insertBudgetCommit(aBudget({ id: "103", notes: "first" })));
      const outcomes = await allAtOnce(6, (index) => {
        const id = String(100 + index);
        return outcomeOf(
          store,
          insertBudgetCommit(aBudget({ id }), { events: [anEvent({ id: `9${index}`, subjectId: id })] }),
        ).catch(() => "rejected");
      });
      assert.deepEqual(outcomes, ["written", "written", "written", "rejected", "written", "written"]);
      assert.equal((await store.findBudget(BUSINESS, "103"))?.notes, "first");
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 6);
      const waiting = (await store.findUndispatchedEvents(10)).map(({ subjectId }) => subjectId);
      assert.deepEqual(waiting.sort(), ["100", "101", "102", "104", "105"]);
    });

    it("lets writers of different budgets through side by side", async (store) => {
      await allAtOnce(20, (index) => outcomeOf(store, insertBudgetCommit(aBudget({ id: String(100 + index) }))));
      const outcomes = await allAtOnce(20, (index) =>
        outcomeOf(store, replaceBudgetCommit(aBudget({ id: String(100 + index), version: 2 }), 1)),
      );
      assert.equal(countOf(outcomes, "written"), 20);
    });

    it("applies a chain of versions that is sent at once from the version it begins with", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const outcomes = await allAtOnce(10, (index) =>
        outcomeOf(store, replaceBudgetCommit(aBudget({ version: index + 2 }), index + 1)),
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
    if ((await outcomeOf(store, replaceBudgetCommit(next, budget.version))) === "written") return;
  }
}

function copyCases({ describe, it }: Suite): void {
  describe("what is stored is the store's own", () => {
    it("does not change when the caller alters what it handed in", async (store) => {
      const budget = aBudget({ metadata: { tags: ["a"] } });
      await store.commit(insertBudgetCommit(budget));
      alter(budget);
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ metadata: { tags: ["a"] } }));
    });

    it("does not change when the caller alters what it replaced a budget with", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const next = aBudget({ version: 2, metadata: { tags: ["a"] } });
      await store.commit(replaceBudgetCommit(next, 1));
      alter(next);
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ version: 2, metadata: { tags: ["a"] } }));
    });

    it("does not change when a reader alters what it was given", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ metadata: { tags: ["a"] } })));
      const found = await store.findBudget(BUSINESS, "10");
      if (found !== null) alter(found);
      const [listed] = (await store.listBudgets(BUSINESS, aBudgetQuery())).entries;
      if (listed !== undefined) alter(listed);
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ metadata: { tags: ["a"] } }));
    });

    it("does not change when the caller alters an event that it handed in", async (store) => {
      const data = { budgetId: "10", total: 5 };
      await store.commit(insertBudgetCommit(aBudget(), { events: [anEvent({ data })] }));
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
