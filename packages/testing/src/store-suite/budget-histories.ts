import assert from "node:assert/strict";
import type { Random } from "@budgetkit/core";
import {
  BUDGET_STATUSES,
  type Budget,
  insertBudgetCommit,
  replaceBudgetCommit,
  type Store,
} from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, anEvent, anEventQuery } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { rounds } from "../scale.js";
import { drawInteger, drawOne, seededRandom } from "../seeded-random.js";
import { allAtOnce, type Suite } from "./suite.js";

const BUSINESSES = ["1", "2", "3"] as const;
const STEPS = 250;

export function budgetHistoryCases({ describe, it, itDurably }: Suite): void {
  describe("long random histories", () => {
    for (let seed = 1; seed <= rounds({ small: 1, full: 3 }); seed += 1) {
      it(`leave counts by status that agree with the budgets, seed ${seed}`, async (store) => {
        const expected = await live(store, seededRandom(seed));
        for (const businessId of BUSINESSES) await assertCounts(store, businessId, expected);
      });
    }

    it("leave as many events as there were writes that succeeded, in the order they were made", async (store) => {
      const expected = await live(store, seededRandom(4));
      for (const businessId of BUSINESSES) {
        const writes = expected.filter((budget) => budget.businessId === businessId).reduce((n, b) => n + b.version, 0);
        const events = await store.listEvents(businessId, anEventQuery({ limit: STEPS }));
        const ids = events.entries.map(({ id }) => Number(id));
        assert.equal(events.total, writes);
        assert.deepEqual(
          ids,
          [...ids].sort((a, b) => b - a),
        );
      }
    });

    it("leave counts that agree when writers race over the same budgets", async (store) => {
      await allAtOnce(10, (index) => outcomeOf(store, insertBudgetCommit(aBudget({ id: String(10 + index) }))));
      for (let version = 1; version <= 5; version += 1) {
        await allAtOnce(50, (index) => {
          const status = BUDGET_STATUSES[(index + version) % BUDGET_STATUSES.length] ?? "DRAFT";
          return outcomeOf(
            store,
            replaceBudgetCommit(aBudget({ id: String(10 + (index % 10)), version: version + 1, status }), version),
          );
        });
      }
      const all = await store.listBudgets("1", aBudgetQuery({ includeDeleted: true }));
      assert.ok(all.entries.every((budget) => budget.version === 6));
      await assertCounts(store, "1", all.entries);
    });

    itDurably("leave counts that agree after the store was reopened", async (store, reopen) => {
      const expected = await live(store, seededRandom(5));
      const again = await reopen();
      for (const businessId of BUSINESSES) await assertCounts(again, businessId, expected);
    });
  });
}

/** Adds and moves budgets at random, stale writes among them; gives the budgets as they ought to be in the end. */
async function live(store: Store, random: Random): Promise<Budget[]> {
  const budgets = new Map<string, Budget>();
  for (let step = 0; step < STEPS; step += 1) {
    const event = (budget: Budget) => anEvent({ id: String(10_000 + step), businessId: budget.businessId });
    const status = drawOne(random, BUDGET_STATUSES);
    if (budgets.size === 0 || drawInteger(random, 3) === 0) {
      const budget = aBudget({ id: String(100 + step), businessId: drawOne(random, BUSINESSES), status });
      assert.equal(await outcomeOf(store, insertBudgetCommit(budget, { events: [event(budget)] })), "written");
      budgets.set(budget.id, budget);
      continue;
    }
    const current = drawOne(random, [...budgets.values()]);
    const isStale = drawInteger(random, 4) === 0;
    const next = { ...current, status, version: current.version + 1 };
    const expectedVersion = isStale ? current.version - 1 : current.version;
    const outcome = await outcomeOf(store, replaceBudgetCommit(next, expectedVersion, { events: [event(next)] }));
    assert.equal(outcome, isStale ? "stale" : "written");
    if (!isStale) budgets.set(next.id, next);
  }
  return [...budgets.values()];
}

async function assertCounts(store: Store, businessId: string, budgets: readonly Budget[]): Promise<void> {
  const own = budgets.filter((budget) => budget.businessId === businessId);
  const totalOf = async (query: Parameters<typeof aBudgetQuery>[0]): Promise<number> =>
    (await store.listBudgets(businessId, aBudgetQuery({ ...query, limit: 1 }))).total;
  for (const status of BUDGET_STATUSES) {
    assert.equal(await totalOf({ status }), own.filter((budget) => budget.status === status).length, status);
  }
  assert.equal(await totalOf({}), own.filter((budget) => budget.status !== "DELETED").length);
  assert.equal(await totalOf({ includeDeleted: true }), own.length);
}
