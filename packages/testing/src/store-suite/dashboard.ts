import assert from "node:assert/strict";
import {
  BUDGET_STATUSES,
  type Budget,
  type BudgetSum,
  DAY_MS,
  DELIVERY_STATUSES,
  insertBudgetCommit,
  insertKeyCommit,
  KEY_STATUSES,
  MAX_MINOR,
  replaceBudgetCommit,
  replaceKeyCommit,
  type Store,
} from "@budgetkit/core/store";
import { aBudget, anApiKey, FIXTURE_TIME as NOW } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { drawInteger, drawOne, seededRandom } from "../seeded-random.js";
import { allAtOnce, type Suite } from "./suite.js";
import { add } from "./webhook-samples.js";

export function dashboardCases(suite: Suite): void {
  sumCases(suite);
  keyCases(suite);
  deliveryCases(suite);
}

function sumCases({ describe, it, itDurably }: Suite): void {
  describe("sums of budgets", () => {
    it("are none without budgets", async (store) => {
      assert.deepEqual(await sumsOf(store), []);
    });

    it("count and add up by status and currency", async (store) => {
      const budgets: Partial<Budget>[] = [
        { total: 100 },
        { total: 23 },
        { status: "APPROVED", total: 1 },
        { currency: "JPY", total: 5_000 },
        { businessId: "2", total: 9 },
      ];
      await allAtOnce(budgets.length, (index) =>
        outcomeOf(store, insertBudgetCommit(aBudget({ ...budgets[index], id: String(10 + index) }))),
      );
      assert.deepEqual(await sumsOf(store), ["APPROVED USD 1 1", "PENDING JPY 1 5000", "PENDING USD 2 123"]);
    });

    it("follow a change of status, of total and of both", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ total: 100 })));
      await store.commit(replaceBudgetCommit(aBudget({ total: 70, version: 2 }), 1));
      assert.deepEqual(await sumsOf(store), ["PENDING USD 1 70"]);
      await store.commit(replaceBudgetCommit(aBudget({ total: 70, version: 3, status: "APPROVED" }), 2));
      assert.deepEqual(await sumsOf(store), ["APPROVED USD 1 70"]);
      await store.commit(replaceBudgetCommit(aBudget({ total: 5, version: 4, status: "DELETED", currency: "EUR" }), 3));
      assert.deepEqual(await sumsOf(store), ["DELETED EUR 1 5"]);
    });

    it("are untouched by a write that is stale or has lost its receipt", async (store) => {
      await store.commit(insertBudgetCommit(aBudget({ total: 100 })));
      await store.commit(replaceBudgetCommit(aBudget({ total: 1, version: 9, status: "REJECTED" }), 8));
      const receipt = { businessId: "1", key: "unclaimed", claimId: "x", response: "sealed" };
      await store.commit(
        replaceBudgetCommit(aBudget({ total: 1, version: 2, status: "REJECTED" }), 1, { completes: receipt }),
      );
      await store.commit(insertBudgetCommit(aBudget({ id: "11" }), { completes: receipt }));
      assert.deepEqual(await sumsOf(store), ["PENDING USD 1 100"]);
    });

    it("stay exact beyond every integer that a float or 64 bits can hold", async (store) => {
      await allAtOnce(1_100, (index) =>
        outcomeOf(store, insertBudgetCommit(aBudget({ id: `${10 + index}`, total: MAX_MINOR }))),
      );
      const [sum] = await store.sumBudgets("1", NOW);
      assert.equal(sum?.total, BigInt(MAX_MINOR) * 1_100n);
      await store.commit(replaceBudgetCommit(aBudget({ total: 1, version: 2 }), 1));
      assert.equal((await store.sumBudgets("1", NOW))[0]?.total, BigInt(MAX_MINOR) * 1_099n + 1n);
    });

    for (const seed of [1, 2]) {
      it(`agree with the budgets after a long random history, seed ${seed}`, async (store) => {
        const expected = await expectedAfter(store, seed);
        assert.deepEqual(await sumsOf(store), expected);
      });
    }

    itDurably("agree with the budgets after the store was reopened", async (store, reopen) => {
      const expected = await expectedAfter(store, 3);
      assert.deepEqual(await sumsOf(await reopen()), expected);
    });
  });
}

/** Writes budgets at random, and gives what a plain sum over the last version of each comes to. */
async function expectedAfter(store: Store, seed: number): Promise<string[]> {
  const random = seededRandom(seed);
  const budgets = new Map<string, Budget>();
  for (let step = 0; step < 200; step += 1) {
    const id = String(10 + drawInteger(random, 40));
    const present = budgets.get(id);
    const version = (present?.version ?? 0) + 1;
    const total = drawOne(random, [0, 1, drawInteger(random, 100_000), MAX_MINOR - drawInteger(random, 9)]);
    const currency = present?.currency ?? drawOne(random, ["USD", "JPY"]);
    const budget = aBudget({ id, version, total, currency, status: drawOne(random, BUDGET_STATUSES) });
    if (present === undefined) await store.commit(insertBudgetCommit(budget));
    else await store.commit(replaceBudgetCommit(budget, version - 1));
    budgets.set(id, budget);
  }
  const sums = new Map<string, [number, bigint]>();
  for (const { status, currency, total } of budgets.values()) {
    const [count, sum] = sums.get(`${status} ${currency}`) ?? [0, 0n];
    sums.set(`${status} ${currency}`, [count + 1, sum + BigInt(total)]);
  }
  return [...sums].map(([place, [count, sum]]) => `${place} ${count} ${sum}`).sort();
}

async function sumsOf(store: Store): Promise<string[]> {
  const text = ({ status, currency, budgets, total }: BudgetSum) => `${status} ${currency} ${budgets} ${total}`;
  return (await store.sumBudgets("1", NOW)).map(text).sort();
}

function keyCases({ describe, it }: Suite): void {
  describe("counts of API keys", () => {
    it("are by status, each business's own", async (store) => {
      for (const [index, status] of [...KEY_STATUSES, "ACTIVE" as const].entries()) {
        await store.commit(insertKeyCommit(anApiKey({ id: `${20 + index}`, keyHash: `h${index}`, status })));
      }
      await store.commit(insertKeyCommit(anApiKey({ businessId: "2", keyHash: "other" })));
      const { byStatus } = await store.countKeys("1", NOW, NOW);
      assert.deepEqual(byStatus, { ACTIVE: 2, SUSPENDED: 1, REVOKED: 1 });
    });

    it("follow a change of status", async (store) => {
      await store.commit(insertKeyCommit(anApiKey()));
      await store.commit(replaceKeyCommit(anApiKey({ version: 2, status: "REVOKED" }), 1));
      assert.deepEqual((await store.countKeys("1", NOW, NOW)).byStatus, { ACTIVE: 0, SUSPENDED: 0, REVOKED: 1 });
    });

    it("include those that expire after one moment and up to another", async (store) => {
      const expiries = [null, NOW - 1, NOW, NOW + 1, NOW + DAY_MS, NOW + DAY_MS + 1];
      for (const [index, expiresAt] of expiries.entries()) {
        await store.commit(insertKeyCommit(anApiKey({ id: `${20 + index}`, keyHash: `h${index}`, expiresAt })));
      }
      await store.commit(
        insertKeyCommit(anApiKey({ id: "30", keyHash: "s", expiresAt: NOW + 1, status: "SUSPENDED" })),
      );
      assert.equal((await store.countKeys("1", NOW, NOW + DAY_MS)).expiring, 2);
    });
  });
}

function deliveryCases({ describe, it }: Suite): void {
  describe("counts of deliveries", () => {
    it("are by status, each business's own", async (store) => {
      for (const [index, status] of [...DELIVERY_STATUSES, "failed" as const].entries()) {
        await add(store, { id: `${70 + index}`, status });
      }
      await add(store, { id: "90", businessId: "2" });
      const expected = { pending: 1, retrying: 1, delivered: 1, failed: 2, cancelled: 1 };
      assert.deepEqual(await store.countDeliveries("1", NOW), expected);
    });

    it("begin with those that were created at the moment", async (store) => {
      for (const [index, createdAt] of [NOW - 1, NOW, NOW + 1].entries()) {
        await add(store, { id: `${70 + index}`, status: "delivered", createdAt });
      }
      assert.equal((await store.countDeliveries("1", NOW)).delivered, 2);
    });
  });
}
