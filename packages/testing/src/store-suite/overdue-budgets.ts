import assert from "node:assert/strict";
import type { Random } from "@budgetkit/core";
import {
  asOf,
  BUDGET_SORTS,
  BUDGET_STATUSES,
  type Budget,
  type BudgetQuery,
  type BudgetSum,
  insertBudgetCommit,
  type ListPosition,
  replaceBudgetCommit,
  type Store,
} from "@budgetkit/core/store";
import { aBudget, aBudgetQuery, anItem, FIXTURE_TIME } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { rounds } from "../scale.js";
import { drawInteger, drawOne, seededRandom } from "../seeded-random.js";
import { behind } from "./budget-cursors.js";
import { idsOf } from "./budget-samples.js";
import type { Suite } from "./suite.js";

const BUSINESS = "1";
const NOW = FIXTURE_TIME + 1_000;

export function overdueBudgetCases(suite: Suite): void {
  momentCases(suite);
  sweepCases(suite);
}

function momentCases({ describe, it }: Suite): void {
  describe("budgets whose validity has passed", () => {
    it("are listed, counted and summed as EXPIRED from their validity date on", async (store) => {
      const acceptance = { acceptedAt: FIXTURE_TIME, acceptedBy: "customer:Ana" };
      const due = aBudget({ id: "10", validUntil: NOW, acceptance, version: 4 });
      await insertAll(store, [
        due,
        aBudget({ id: "11", validUntil: NOW + 1 }),
        aBudget({ id: "12", validUntil: null }),
        aBudget({ id: "13", validUntil: NOW - 1, status: "APPROVED" }),
        aBudget({ id: "14", validUntil: NOW - 1, businessId: "2" }),
      ]);
      const listed = async (status: Budget["status"], now: number) =>
        store.listBudgets(BUSINESS, aBudgetQuery({ status, now, order: "asc" }));
      const { entries, total } = await listed("EXPIRED", NOW);
      assert.deepEqual(entries, [{ ...due, status: "EXPIRED", acceptance: null, version: 5, updatedAt: NOW }]);
      assert.equal(total, 1);
      assert.deepEqual(idsOf((await listed("PENDING", NOW)).entries), ["11", "12"]);
      assert.deepEqual(idsOf((await listed("PENDING", NOW - 1)).entries), ["10", "11", "12"]);
      assert.equal((await listed("EXPIRED", NOW - 1)).total, 0);
      assert.deepEqual(await sumsOf(store, NOW), [
        "APPROVED USD 1 12100",
        "EXPIRED USD 1 12100",
        "PENDING USD 2 24200",
      ]);
      assert.deepEqual(await sumsOf(store, NOW - 1), ["APPROVED USD 1 12100", "PENDING USD 3 36300"]);
    });

    it("leave no empty group of PENDING behind in the sums", async (store) => {
      await insertAll(store, [aBudget({ id: "10", validUntil: NOW })]);
      assert.deepEqual(await sumsOf(store, NOW), ["EXPIRED USD 1 12100"]);
    });
  });
}

function sweepCases({ describe, it }: Suite): void {
  describe("before and after the sweep", () => {
    for (let seed = 1; seed <= rounds({ small: 1, full: 3 }); seed += 1) {
      it(`lists and sums are the same, for random budgets and queries, seed ${seed}`, async (store) => {
        const random = seededRandom(seed);
        await insertAll(
          store,
          Array.from({ length: 60 }, (_, index) => drawBudget(random, String(10 + index))),
        );
        const queries = Array.from({ length: 25 }, () => drawQuery(random));
        const read = async () => {
          const lists: unknown[] = [];
          for (const query of queries) lists.push(await pagesOf(store, query));
          return { lists, sums: await sumsOf(store, NOW) };
        };
        const before = await read();
        const overdue = await store.findAllOverdueBudgets(NOW, 100);
        assert.ok(overdue.length > 5);
        for (const budget of overdue) await store.commit(replaceBudgetCommit(asOf(budget, NOW), budget.version));
        assert.deepEqual(await read(), before);
      });
    }
  });
}

/** All pages of a list behind each other, by cursor, with the count that each page shows. */
async function pagesOf(store: Store, query: BudgetQuery): Promise<unknown[]> {
  const pages: unknown[] = [];
  let position: ListPosition = query.position;
  for (;;) {
    const page = await store.listBudgets(BUSINESS, { ...query, position });
    pages.push(page);
    if (page.nextCursor === null) return pages;
    position = behind(page.nextCursor);
  }
}

function drawBudget(random: Random, id: string): Budget {
  const status = drawOne(random, [...BUDGET_STATUSES, "PENDING", "PENDING", "PENDING", "PENDING"] as const);
  return aBudget({
    id,
    status,
    businessId: drawOne(random, [BUSINESS, BUSINESS, BUSINESS, "2"]),
    version: 1 + drawInteger(random, 3),
    validUntil: drawOne(random, [null, NOW - drawInteger(random, 900), NOW, NOW + 1, NOW - 1]),
    createdAt: FIXTURE_TIME + drawInteger(random, 20),
    customerId: drawOne(random, ["500", "501"]),
    currency: drawOne(random, ["USD", "JPY"]),
    total: drawInteger(random, 5) * 1_000,
    items: [anItem({ description: drawOne(random, ["Oak table", "Ash chair"]) })],
    acceptance: status === "PENDING" ? drawOne(random, [null, { acceptedAt: 1, acceptedBy: "customer:Ana" }]) : null,
  });
}

function drawQuery(random: Random): BudgetQuery {
  const either = <T>(value: T): T | null => drawOne(random, [value, null, null]);
  return aBudgetQuery({
    now: NOW,
    status: drawOne(random, [null, "PENDING", "EXPIRED", "EXPIRED", "APPROVED"] as const),
    includeDeleted: drawOne(random, [true, false]),
    customerId: either("500"),
    search: either("oak"),
    minTotal: either(10),
    maxTotal: either(1_000),
    createdAfter: either(FIXTURE_TIME + 5),
    createdBefore: either(FIXTURE_TIME + 15),
    sort: drawOne(random, BUDGET_SORTS),
    order: drawOne(random, ["asc", "desc"] as const),
    limit: 1 + drawInteger(random, 9),
    position: { kind: "offset", offset: drawInteger(random, 4) },
  });
}

async function insertAll(store: Store, budgets: readonly Budget[]): Promise<void> {
  await Promise.all(budgets.map((budget) => outcomeOf(store, insertBudgetCommit(budget))));
}

async function sumsOf(store: Store, now: number): Promise<string[]> {
  const text = ({ status, currency, budgets, total }: BudgetSum) => `${status} ${currency} ${budgets} ${total}`;
  return (await store.sumBudgets(BUSINESS, now)).map(text).sort();
}
