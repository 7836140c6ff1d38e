import assert from "node:assert/strict";
import type { Budget } from "../../budgets/budget.js";
import { DAY_MS } from "../../kernel/clock.js";
import type { Store } from "../../store.js";
import { aBudget, FIXTURE_TIME } from "../fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";

const BUSINESS = "1";

export function budgetLookupCases(suite: Suite): void {
  publicTokenCases(suite);
  overdueCases(suite);
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

    it("answers each of many who ask at once for their own business, moment and number", async (store) => {
      for (const businessId of ["1", "2"]) {
        for (let turn = 0; turn < 4; turn += 1) {
          const id = `${businessId}${turn}`;
          await store.insertBudget(aBudget({ businessId, id, validUntil: at + turn }), [], null);
        }
      }
      const asks = [
        ["1", at + 1, 10],
        ["2", at, 10],
        ["1", at + 3, 1],
        ["2", at + 3, 3],
        ["1", at - 1, 10],
        ["3", at + 3, 10],
      ] as const;
      const found = await Promise.all(
        asks.map(([business, now, limit]) => store.findOverdueBudgets(business, now, limit)),
      );
      assert.deepEqual(found.map(idsOf), [["10", "11"], ["20"], ["10"], ["20", "21", "22"], [], []]);
    });
  });
}

function idsOf(budgets: readonly Budget[]): string[] {
  return budgets.map((budget) => budget.id);
}
