import assert from "node:assert/strict";
import type { Budget, Store } from "@budgetkit/core/store";
import { insertBudgetCommit, replaceBudgetCommit } from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, anEvent, anEventQuery, FIXTURE_TIME } from "../fixtures.js";
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
    it("accepts the other budgets when one of many concurrent ones is rejected", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ id: "5" })));
      const settled = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) =>
          outcomeOf(store, insertBudgetCommit(aBudget({ id: String(index + 1) }))),
        ),
      );
      assert.equal(settled.filter(({ status }) => status === "rejected").length, 1);
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 10);
    });

    it("keeps all of 40 budgets that are added concurrently", async (store) => {
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

    it("a total keeps the largest integer that a double holds exactly", async (store) => {
      const id = String(Number.MAX_SAFE_INTEGER);
      await store.commit(insertBudgetCommit(aBudget({ id })));
      assert.equal((await store.findBudget(BUSINESS, id))?.id, id);
      assert.equal(await store.findBudget(BUSINESS, "9007199254740990"), null);
    });
  });
}

function replaceCases({ describe, it }: Suite): void {
  describe("replacing a budget", () => {
    it("a deleted budget keeps its deletion, so that it can be restored", async (store) => {
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
    it("approval and expiry never both win from one version", async (store) => {
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

    it("rejects the one of many new budgets whose id is taken, and writes the others and their events", async (store) => {
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

    it("lets concurrent writers of different budgets through", async (store) => {
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
    it("a stored budget does not change when the caller alters its input", async (store) => {
      const budget = aBudget({ metadata: { tags: ["a"] } });
      await store.commit(insertBudgetCommit(budget));
      alter(budget);
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ metadata: { tags: ["a"] } }));
    });

    it("a stored budget does not change when the caller alters its replacement", async (store) => {
      await store.commit(insertBudgetCommit(aBudget()));
      const next = aBudget({ version: 2, metadata: { tags: ["a"] } });
      await store.commit(replaceBudgetCommit(next, 1));
      alter(next);
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ version: 2, metadata: { tags: ["a"] } }));
    });

    it("a stored budget does not change when a reader alters what it read", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ metadata: { tags: ["a"] } })));
      const found = await store.findBudget(BUSINESS, "10");
      if (found !== null) alter(found);
      const [listed] = (await store.listBudgets(BUSINESS, aBudgetQuery())).entries;
      if (listed !== undefined) alter(listed);
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ metadata: { tags: ["a"] } }));
    });

    it("a stored event does not change when the caller alters its input", async (store) => {
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
