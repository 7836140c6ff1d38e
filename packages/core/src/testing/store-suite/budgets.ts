import assert from "node:assert/strict";
import type { Budget } from "../../budgets/budget.js";
import { DAY_MS } from "../../kernel/clock.js";
import type { Store } from "../../store.js";
import { aBudget, aBudgetQuery, aClaim, anEvent, anEventQuery, anItem, aReceipt, FIXTURE_TIME } from "../fixtures.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

const BUSINESS = "1";

export function budgetCases(suite: Suite): void {
  insertCases(suite);
  replaceCases(suite);
  raceCases(suite);
  copyCases(suite);
  publicTokenCases(suite);
  overdueCases(suite);
}

function insertCases({ describe, it }: Suite): void {
  describe("adding a budget", () => {
    it("makes it readable at once", async (store) => {
      assert.equal(await store.insertBudget(aBudget(), [], null), "written");
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget());
    });

    it("commits its events with it", async (store) => {
      await store.insertBudget(aBudget(), [anEvent({ id: "90" }), anEvent({ id: "91" })], null);
      assert.deepEqual(await eventIds(store), ["91", "90"]);
    });

    it("rejects an id that is taken and leaves the budget that has it alone", async (store) => {
      await store.insertBudget(aBudget({ notes: "first" }), [], null);
      await assert.rejects(store.insertBudget(aBudget({ notes: "second" }), [anEvent()], null));
      assert.equal((await store.findBudget(BUSINESS, "10"))?.notes, "first");
      assert.deepEqual(await eventIds(store), []);
    });

    it("lets the others through when one of many at once is rejected", async (store) => {
      await store.insertBudget(aBudget({ id: "5" }), [], null);
      const settled = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) => store.insertBudget(aBudget({ id: String(index + 1) }), [], null)),
      );
      assert.equal(settled.filter(({ status }) => status === "rejected").length, 1);
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 10);
    });

    it("keeps all of 40 budgets that are added at once", async (store) => {
      const outcomes = await allAtOnce(40, (index) =>
        store.insertBudget(aBudget({ id: String(100 + index) }), [anEvent({ id: String(900 + index) })], null),
      );
      assert.equal(countOf(outcomes, "written"), 40);
      assert.equal((await store.listBudgets(BUSINESS, aBudgetQuery())).total, 40);
      assert.equal((await store.listEvents(BUSINESS, anEventQuery())).total, 40);
    });

    it("keeps the largest id that an integer holds exactly", async (store) => {
      const id = String(Number.MAX_SAFE_INTEGER);
      await store.insertBudget(aBudget({ id }), [], null);
      assert.equal((await store.findBudget(BUSINESS, id))?.id, id);
      assert.equal(await store.findBudget(BUSINESS, "9007199254740990"), null);
    });
  });
}

function replaceCases({ describe, it }: Suite): void {
  describe("replacing a budget", () => {
    it("puts the new value in the place of the stored one", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const next = aBudget({ version: 2, notes: "changed", items: [anItem({ description: "Chair" })], total: 5 });
      assert.equal(await store.replaceBudget(next, 1, [], null), "written");
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), next);
    });

    it("is stale for a version that is past, and changes nothing", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const second = aBudget({ version: 2, notes: "second" });
      await store.replaceBudget(second, 1, [], null);
      assert.equal(await store.replaceBudget(aBudget({ version: 2, notes: "late" }), 1, [], null), "stale");
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), second);
    });

    it("is stale for a version that is yet to come", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      assert.equal(await store.replaceBudget(aBudget({ version: 3 }), 2, [], null), "stale");
      assert.equal((await store.findBudget(BUSINESS, "10"))?.version, 1);
    });

    it("is stale for a budget that is not there, and does not add it", async (store) => {
      assert.equal(await store.replaceBudget(aBudget({ version: 2 }), 1, [anEvent()], null), "stale");
      assert.equal(await store.findBudget(BUSINESS, "10"), null);
      assert.deepEqual(await eventIds(store), []);
    });

    it("leaves no event behind when it is stale", async (store) => {
      await store.insertBudget(aBudget({ version: 4 }), [], null);
      await store.replaceBudget(aBudget({ version: 4 }), 3, [anEvent(), anEvent({ id: "91" })], null);
      assert.deepEqual(await eventIds(store), []);
    });

    it("leaves the claim open when it is stale", async (store) => {
      await store.insertBudget(aBudget({ version: 4 }), [], null);
      await store.claimKey(aClaim(), FIXTURE_TIME);
      assert.equal(await store.replaceBudget(aBudget({ version: 4 }), 3, [], aReceipt()), "stale");
      assert.deepEqual(await store.claimKey(aClaim({ claimId: "claim-2" }), FIXTURE_TIME), { kind: "in-flight" });
    });

    it("touches no other budget", async (store) => {
      await store.insertBudget(aBudget({ id: "10" }), [], null);
      await store.insertBudget(aBudget({ id: "11" }), [], null);
      await store.replaceBudget(aBudget({ id: "10", version: 2, notes: "changed" }), 1, [], null);
      assert.deepEqual(await store.findBudget(BUSINESS, "11"), aBudget({ id: "11" }));
    });

    it("gives a deleted budget with its deletion, so that it can be restored", async (store) => {
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
    it("lets exactly one of 20 writers of the same version through", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const outcomes = await allAtOnce(20, (index) =>
        store.replaceBudget(aBudget({ version: 2, notes: `writer ${index}` }), 1, [], null),
      );
      assert.equal(countOf(outcomes, "written"), 1);
      assert.equal(countOf(outcomes, "stale"), 19);
      const winner = `writer ${outcomes.indexOf("written")}`;
      assert.equal((await store.findBudget(BUSINESS, "10"))?.notes, winner);
    });

    it("keeps the events of the winner alone", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const outcomes = await allAtOnce(20, (index) =>
        store.replaceBudget(aBudget({ version: 2 }), 1, [anEvent({ id: String(900 + index) })], null),
      );
      assert.deepEqual(await eventIds(store), [String(900 + outcomes.indexOf("written"))]);
    });

    it("never lets approval and expiry both win from one version", async (store) => {
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

    it("lets writers of different budgets through side by side", async (store) => {
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
    it("does not change when the caller alters what it handed in", async (store) => {
      const budget = aBudget({ metadata: { tags: ["a"] } });
      await store.insertBudget(budget, [], null);
      alter(budget);
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ metadata: { tags: ["a"] } }));
    });

    it("does not change when the caller alters what it replaced a budget with", async (store) => {
      await store.insertBudget(aBudget(), [], null);
      const next = aBudget({ version: 2, metadata: { tags: ["a"] } });
      await store.replaceBudget(next, 1, [], null);
      alter(next);
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ version: 2, metadata: { tags: ["a"] } }));
    });

    it("does not change when a reader alters what it was given", async (store) => {
      await store.insertBudget(aBudget({ metadata: { tags: ["a"] } }), [], null);
      const found = await store.findBudget(BUSINESS, "10");
      if (found !== null) alter(found);
      const [listed] = (await store.listBudgets(BUSINESS, aBudgetQuery())).entries;
      if (listed !== undefined) alter(listed);
      assert.deepEqual(await store.findBudget(BUSINESS, "10"), aBudget({ metadata: { tags: ["a"] } }));
    });

    it("does not change when the caller alters an event that it handed in", async (store) => {
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

function publicTokenCases({ describe, it }: Suite): void {
  describe("following a public link", () => {
    it("finds the budget of whatever business by the digest of its token", async (store) => {
      await store.insertBudget(aBudget({ businessId: "1", id: "10", publicTokenHash: "hash-a" }), [], null);
      await store.insertBudget(aBudget({ businessId: "2", id: "11", publicTokenHash: "hash-b" }), [], null);
      assert.equal((await store.findBudgetByPublicToken("hash-a"))?.id, "10");
      assert.equal((await store.findBudgetByPublicToken("hash-b"))?.businessId, "2");
    });

    for (const unknown of ["hash-c", "HASH-A", "hash-", "hash-a ", "", "null", "%"]) {
      it(`finds nothing by the digest ${JSON.stringify(unknown)}, which no budget has`, async (store) => {
        await store.insertBudget(aBudget({ id: "10", publicTokenHash: "hash-a" }), [], null);
        await store.insertBudget(aBudget({ id: "11", publicTokenHash: null }), [], null);
        assert.equal(await store.findBudgetByPublicToken(unknown), null);
      });
    }

    it("finds nothing by a token that was rotated away, and the budget by the new one", async (store) => {
      await store.insertBudget(aBudget({ publicTokenHash: "hash-a" }), [], null);
      await store.replaceBudget(aBudget({ version: 2, publicTokenHash: "hash-b" }), 1, [], null);
      assert.equal(await store.findBudgetByPublicToken("hash-a"), null);
      assert.equal((await store.findBudgetByPublicToken("hash-b"))?.version, 2);
    });

    it("finds nothing by a token that was taken away", async (store) => {
      await store.insertBudget(aBudget({ publicTokenHash: "hash-a" }), [], null);
      await store.replaceBudget(aBudget({ version: 2, publicTokenHash: null }), 1, [], null);
      assert.equal(await store.findBudgetByPublicToken("hash-a"), null);
    });
  });
}

function overdueCases({ describe, it }: Suite): void {
  const at = FIXTURE_TIME + 10 * DAY_MS;
  const reads = [
    { name: "of one business", read: (store: Store, limit: number) => store.findOverdueBudgets(BUSINESS, at, limit) },
    { name: "of all businesses", read: (store: Store, limit: number) => store.findAllOverdueBudgets(at, limit) },
  ];

  for (const { name, read } of reads) {
    describe(`finding overdue budgets ${name}`, () => {
      it("takes those whose validity ends now or ended before, the longest overdue first", async (store) => {
        for (const [id, validUntil] of [
          ["10", at],
          ["11", at - 2],
          ["12", at + 1],
          ["13", at - 1],
        ] as const) {
          await store.insertBudget(aBudget({ id, validUntil }), [], null);
        }
        assert.deepEqual(idsOf(await read(store, 10)), ["11", "13", "10"]);
      });

      it("leaves out those that never expire", async (store) => {
        await store.insertBudget(aBudget({ validUntil: null }), [], null);
        assert.deepEqual(await read(store, 10), []);
      });

      for (const status of ["DRAFT", "APPROVED", "REJECTED", "EXPIRED", "COMPLETED", "ARCHIVED", "DELETED"] as const) {
        it(`leaves out ${status} ones`, async (store) => {
          await store.insertBudget(aBudget({ status, validUntil: at - 1 }), [], null);
          assert.deepEqual(await read(store, 10), []);
        });
      }

      it("gives at most as many as asked for, the longest overdue ones", async (store) => {
        await allAtOnce(6, (index) =>
          store.insertBudget(aBudget({ id: String(20 + index), validUntil: at - index }), [], null),
        );
        assert.deepEqual(idsOf(await read(store, 2)), ["25", "24"]);
      });

      it("no longer gives one that has been moved on", async (store) => {
        await store.insertBudget(aBudget({ validUntil: at }), [], null);
        await store.replaceBudget(aBudget({ version: 2, status: "EXPIRED", validUntil: at }), 1, [], null);
        assert.deepEqual(await read(store, 10), []);
      });

      it("no longer gives one whose validity was extended", async (store) => {
        await store.insertBudget(aBudget({ validUntil: at }), [], null);
        await store.replaceBudget(aBudget({ version: 2, validUntil: at + DAY_MS }), 1, [], null);
        assert.deepEqual(await read(store, 10), []);
      });
    });
  }

  describe("overdue budgets and businesses", () => {
    it("keeps to the business asked for, or looks at all of them", async (store) => {
      await store.insertBudget(aBudget({ businessId: "1", id: "10", validUntil: at - 1 }), [], null);
      await store.insertBudget(aBudget({ businessId: "2", id: "11", validUntil: at - 2 }), [], null);
      assert.deepEqual(idsOf(await store.findOverdueBudgets("2", at, 10)), ["11"]);
      assert.deepEqual(idsOf(await store.findAllOverdueBudgets(at, 10)), ["11", "10"]);
    });
  });
}

function idsOf(budgets: readonly Budget[]): string[] {
  return budgets.map((budget) => budget.id);
}

async function eventIds(store: Store): Promise<string[]> {
  return (await store.listEvents(BUSINESS, anEventQuery())).entries.map((event) => event.id);
}
