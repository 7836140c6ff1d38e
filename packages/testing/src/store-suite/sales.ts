import assert from "node:assert/strict";
import {
  BUDGET_STATUSES,
  type Budget,
  DAY_MS,
  insertBudgetCommit,
  MAX_MINOR,
  replaceBudgetCommit,
  type Store,
} from "@budgetkit/core/store";
import { aBudget, FIXTURE_TIME as NOW } from "../fixtures.js";
import { drawInteger, drawOne, seededRandom } from "../seeded-random.js";
import type { Suite } from "./suite.js";

const SLOT_MS = 15 * 60_000;
const DAY = Math.floor(NOW / DAY_MS) * DAY_MS;
const STARTS = [DAY - 7 * DAY_MS, DAY, DAY + 7 * DAY_MS];
const WON = ["APPROVED", "COMPLETED", "ARCHIVED"];
const LOST = ["REJECTED", "EXPIRED"];
const ACCEPTANCE = { acceptedAt: NOW, acceptedBy: "customer:Ana" };

const write = (store: Store, budget: Partial<Budget>) => store.commit(insertBudgetCommit(aBudget(budget)));

/** As "period outcome currency budgets total". */
async function salesOf(store: Store, now: number = NOW, starts: readonly number[] = STARTS): Promise<string[]> {
  const sums = await store.sumSales("1", starts, now);
  return sums.map((sum) => `${sum.period} ${sum.outcome} ${sum.currency} ${sum.budgets} ${sum.total}`);
}

export function salesCases(suite: Suite): void {
  salesSumCases(suite);
  openSumCases(suite);
}

function salesSumCases({ describe, it, itDurably }: Suite): void {
  describe("sums of sales", () => {
    it("sums sent budgets by period, outcome and currency", async (store) => {
      await write(store, { id: "10", createdAt: STARTS[0] ?? 0, total: 5, status: "REJECTED" });
      await write(store, { id: "11", createdAt: DAY - 1, total: 7, status: "EXPIRED" });
      await write(store, { id: "12", createdAt: DAY, total: 100, status: "APPROVED" });
      await write(store, { id: "13", createdAt: DAY + 1, total: 20, status: "ARCHIVED" });
      await write(store, { id: "14", createdAt: NOW, total: 3, currency: "JPY" });
      await write(store, { id: "15", createdAt: NOW, status: "DRAFT" });
      await write(store, { id: "16", createdAt: NOW, status: "DELETED" });
      await write(store, { id: "17", createdAt: DAY + 7 * DAY_MS });
      await write(store, { id: "18", createdAt: (STARTS[0] ?? 0) - 1 });
      await write(store, { id: "19", createdAt: NOW, businessId: "2" });
      assert.deepEqual(await salesOf(store), ["0 lost USD 2 12", "1 waiting JPY 1 3", "1 won USD 2 120"]);
    });

    it("sums count a budget in the period in which it was sent, not in which it was created", async (store) => {
      await write(store, { createdAt: DAY - DAY_MS, status: "DRAFT", total: 9 });
      assert.deepEqual(await salesOf(store), []);
      const sent = { createdAt: DAY - DAY_MS, total: 9, sentAt: NOW };
      await store.commit(replaceBudgetCommit(aBudget({ ...sent, version: 2 }), 1));
      assert.deepEqual(await salesOf(store), ["1 waiting USD 1 9"]);
      await store.commit(replaceBudgetCommit(aBudget({ ...sent, version: 3, status: "APPROVED", total: 8 }), 2));
      assert.deepEqual(await salesOf(store), ["1 won USD 1 8"]);
    });

    it("sums count an overdue budget as lost before the sweep", async (store) => {
      await write(store, { createdAt: NOW - 5, sentAt: NOW, validUntil: NOW + 10, total: 4 });
      assert.deepEqual(await salesOf(store, NOW + 9), ["1 waiting USD 1 4"]);
      assert.deepEqual(await salesOf(store, NOW + 10), ["1 lost USD 1 4"]);
    });

    it("sums of sales stay exact beyond every integer that a float or 64 bits can hold", async (store) => {
      for (let id = 10; id < 1_110; id += 1) {
        await write(store, { id: String(id), createdAt: NOW, total: MAX_MINOR });
      }
      assert.deepEqual(await salesOf(store), [`1 waiting USD 1100 ${BigInt(MAX_MINOR) * 1_100n}`]);
    });

    for (const seed of [1, 2, 3]) {
      itDurably(`sums of sales agree with the budgets after a random history, seed ${seed}`, async (store, reopen) => {
        const budgets = await randomHistory(store, seed);
        const starts = Array.from({ length: 9 }, (_, index) => DAY + (2 * index - 8) * SLOT_MS);
        const reopened = await reopen();
        assert.deepEqual(await salesOf(reopened, NOW, starts), expectedSales(budgets, starts));
        assert.deepEqual(await reopened.sumOpen("1", NOW, NOW + DAY_MS), expectedOpen(budgets));
      });
    }
  });
}

function openSumCases({ describe, it }: Suite): void {
  describe("sums of what is open", () => {
    it("sums the balances of won budgets alone, without withholdings and payments", async (store) => {
      await write(store, { id: "10", status: "APPROVED", total: 100, withheld: 5, paid: 20 });
      await write(store, { id: "11", status: "COMPLETED", total: 100, paid: 100 });
      await write(store, { id: "12", status: "ARCHIVED", total: 30 });
      await write(store, { id: "13", status: "APPROVED", total: 7, currency: "JPY" });
      await write(store, { id: "14", total: 1_000 });
      const { balances } = await store.sumOpen("1", NOW, NOW);
      assert.deepEqual(balances, [
        { currency: "JPY", budgets: 1, total: 7n },
        { currency: "USD", budgets: 2, total: 105n },
      ]);
      const paid = aBudget({ id: "10", status: "APPROVED", total: 100, withheld: 5, paid: 95, version: 2 });
      await store.commit(replaceBudgetCommit(paid, 1));
      const [, dollars] = (await store.sumOpen("1", NOW, NOW)).balances;
      assert.deepEqual(dollars, { currency: "USD", budgets: 1, total: 30n });
    });

    it("counts acceptances that wait for a deposit, until the budget is approved or overdue", async (store) => {
      await write(store, { id: "10", acceptance: ACCEPTANCE });
      await write(store, { id: "11", acceptance: ACCEPTANCE, validUntil: NOW + 10 });
      await write(store, { id: "12" });
      const dueAt = async (now: number) => (await store.sumOpen("1", now, now)).depositsDue;
      assert.equal(await dueAt(NOW), 2);
      assert.equal(await dueAt(NOW + 10), 1);
      await store.commit(replaceBudgetCommit(aBudget({ id: "10", version: 2, status: "APPROVED" }), 1));
      assert.equal(await dueAt(NOW), 1);
    });

    it("counts the PENDING budgets that expire within a time", async (store) => {
      for (const [index, validUntil] of [NOW, NOW + 1, NOW + 5, NOW + 6, null].entries()) {
        await write(store, { id: String(10 + index), validUntil });
      }
      await write(store, { id: "20", validUntil: NOW + 2, status: "REJECTED" });
      assert.equal((await store.sumOpen("1", NOW, NOW + 5)).expiring, 2);
    });
  });
}

/** Writes budgets at random. Resolves with the last version of each. */
async function randomHistory(store: Store, seed: number): Promise<readonly Budget[]> {
  const random = seededRandom(seed);
  const budgets = new Map<string, Budget>();
  for (let step = 0; step < 150; step += 1) {
    const id = String(10 + drawInteger(random, 30));
    const present = budgets.get(id);
    const version = (present?.version ?? 0) + 1;
    const total = drawOne(random, [0, 1, drawInteger(random, 100_000), MAX_MINOR]);
    const status = drawOne(random, BUDGET_STATUSES);
    const drawnTime = () => DAY + (drawInteger(random, 30) - 15) * SLOT_MS + drawInteger(random, SLOT_MS);
    const budget = aBudget({
      ...{ id, version, total, status, paid: drawOne(random, [0, total, Math.floor(total / 3)]) },
      currency: present?.currency ?? drawOne(random, ["USD", "JPY"]),
      createdAt: present?.createdAt ?? drawnTime(),
      ...(drawInteger(random, 3) === 0 ? { sentAt: present?.sentAt ?? drawnTime() } : {}),
      validUntil: drawOne(random, [null, NOW - 1, NOW, NOW + 1, NOW + DAY_MS + 1]),
      acceptance: status === "PENDING" ? drawOne(random, [null, ACCEPTANCE]) : null,
    });
    await store.commit(present === undefined ? insertBudgetCommit(budget) : replaceBudgetCommit(budget, version - 1));
    budgets.set(id, budget);
  }
  return [...budgets.values()];
}

function isOverdue({ status, validUntil }: Budget): boolean {
  return status === "PENDING" && validUntil !== null && validUntil <= NOW;
}

function expectedSales(budgets: readonly Budget[], starts: readonly number[]): string[] {
  const sums = new Map<string, [number, bigint]>();
  for (const budget of budgets) {
    const { status, currency, total, createdAt, sentAt = createdAt } = budget;
    const isLost = LOST.includes(status) || isOverdue(budget);
    const outcome = WON.includes(status) ? "won" : isLost ? "lost" : "waiting";
    const period = starts.findIndex((start, index) => start <= sentAt && sentAt < (starts[index + 1] ?? 0));
    if (period === -1 || status === "DRAFT" || status === "DELETED") continue;
    const [count, sum] = sums.get(`${period} ${outcome} ${currency}`) ?? [0, 0n];
    sums.set(`${period} ${outcome} ${currency}`, [count + 1, sum + BigInt(total)]);
  }
  return [...sums].map(([key, [count, sum]]) => `${key} ${count} ${sum}`).sort();
}

function expectedOpen(budgets: readonly Budget[]) {
  const balances = ["JPY", "USD"].flatMap((currency) => {
    const owed = budgets
      .filter((budget) => WON.includes(budget.status) && budget.currency === currency && budget.paid < budget.total)
      .map(({ total, paid }) => BigInt(total - paid));
    return owed.length === 0 ? [] : [{ currency, budgets: owed.length, total: owed.reduce((a, b) => a + b) }];
  });
  const pending = budgets.filter((budget) => budget.status === "PENDING" && !isOverdue(budget));
  return {
    balances,
    depositsDue: pending.filter(({ acceptance }) => acceptance !== null).length,
    expiring: pending.filter(({ validUntil }) => validUntil !== null && validUntil <= NOW + DAY_MS).length,
  };
}
