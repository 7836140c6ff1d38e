import assert from "node:assert/strict";
import type { BudgetQuery, ListPosition } from "@budgetkit/core/store";
import { replaceBudgetCommit } from "@budgetkit/core/store";
import { aBudgetQuery } from "../fixtures.js";
import { at, fill, idsOf, inOrder, SAMPLES, type Sample, sortings } from "./budget-samples.js";
import type { Suite } from "./suite.js";

const BUSINESS = "1";

/** A filter, what it is called and which of the samples it keeps. */
interface Filter {
  readonly name: string;
  readonly query: Partial<BudgetQuery>;
  keeps(sample: Sample): boolean;
}

const isThere = (sample: Sample): boolean => sample.status !== "DELETED";

const FILTERS: readonly Filter[] = [
  { name: "everything but deleted ones", query: {}, keeps: isThere },
  { name: "deleted ones as well", query: { includeDeleted: true }, keeps: () => true },
  { name: "PENDING ones", query: { status: "PENDING" }, keeps: ({ status }) => status === "PENDING" },
  { name: "DELETED ones when asked for by status", query: { status: "DELETED" }, keeps: (one) => !isThere(one) },
  { name: "one customer's", query: { customerId: "500" }, keeps: (one) => isThere(one) && one.customer === "500" },
  {
    name: "one customer's, by exact id",
    query: { customerId: "cus:a" },
    keeps: (one) => isThere(one) && one.customer === "cus:a",
  },
  { name: "totals from 10 up", query: { minTotal: 10 }, keeps: (one) => isThere(one) && one.major >= 10 },
  { name: "totals up to 10", query: { maxTotal: 10 }, keeps: (one) => isThere(one) && one.major <= 10 },
  {
    name: "totals from 0.99 to 10.001",
    query: { minTotal: 0.99, maxTotal: 10.001 },
    keeps: (one) => isThere(one) && one.major >= 0.99 && one.major <= 10.001,
  },
  {
    name: "created at a moment or later",
    query: { createdAfter: at(5) },
    keeps: (one) => isThere(one) && one.created >= 5,
  },
  { name: "created up to a moment", query: { createdBefore: at(2) }, keeps: (one) => isThere(one) && one.created <= 2 },
  {
    name: "created at exactly one moment",
    query: { createdAfter: at(7), createdBefore: at(7) },
    keeps: (one) => isThere(one) && one.created === 7,
  },
  {
    name: "several filters at once",
    query: { status: "APPROVED", customerId: "500", maxTotal: 999, createdAfter: at(3) },
    keeps: ({ id }) => id === "21" || id === "8",
  },
];

export function budgetListCases(suite: Suite): void {
  orderCases(suite);
  pageCases(suite);
  totalBoundCases(suite);
}

function orderCases({ describe, it }: Suite): void {
  describe("listing budgets", () => {
    for (const [sort, order] of sortings()) {
      it(`gives what each filter keeps, each budget in its place, and counts them, by ${sort}, ${order}`, async (store) => {
        await fill(store);
        for (const { name, query, keeps } of FILTERS) {
          const page = await store.listBudgets(BUSINESS, aBudgetQuery({ ...query, sort, order }));
          const kept = SAMPLES.filter(keeps).map(({ id }) => id);
          assert.deepEqual(
            idsOf(page.entries),
            inOrder(sort, order).filter((id) => kept.includes(id)),
            name,
          );
          assert.equal(page.total, kept.length, name);
        }
      });
    }
  });
}

function pageCases({ describe, it }: Suite): void {
  describe("pages of budgets by number", () => {
    for (const [sort, order] of sortings()) {
      it(`together hold each budget once, by ${sort}, ${order}`, async (store) => {
        await fill(store);
        const seen: string[] = [];
        for (let offset = 0; offset < SAMPLES.length; offset += 5) {
          const position: ListPosition = { kind: "offset", offset };
          const query = aBudgetQuery({ sort, order, includeDeleted: true, limit: 5, position });
          seen.push(...idsOf((await store.listBudgets(BUSINESS, query)).entries));
        }
        assert.deepEqual(seen, inOrder(sort, order));
      });
    }

    it("count the whole list on each page", async (store) => {
      await fill(store);
      for (const offset of [0, 5, 10]) {
        const query = aBudgetQuery({ limit: 5, position: { kind: "offset", offset } });
        assert.equal((await store.listBudgets(BUSINESS, query)).total, 14);
      }
    });

    it("are empty behind the end and still count the list", async (store) => {
      await fill(store);
      const query = aBudgetQuery({ position: { kind: "offset", offset: 1_000 } });
      assert.deepEqual(await store.listBudgets(BUSINESS, query), { entries: [], total: 14, nextCursor: null });
    });

    it("are empty for a business without budgets", async (store) => {
      await fill(store);
      assert.deepEqual(await store.listBudgets("2", aBudgetQuery()), { entries: [], total: 0, nextCursor: null });
    });

    it("are empty when nothing matches", async (store) => {
      await fill(store);
      const page = await store.listBudgets(BUSINESS, aBudgetQuery({ customerId: "nobody" }));
      assert.deepEqual(page, { entries: [], total: 0, nextCursor: null });
    });

    it("carry the whole budget", async (store) => {
      await fill(store);
      const page = await store.listBudgets(BUSINESS, aBudgetQuery({ status: "REJECTED" }));
      assert.deepEqual(page.entries, [await store.findBudget(BUSINESS, "14")]);
    });

    it("show a budget in its new place after a change", async (store) => {
      await fill(store);
      const budget = await store.findBudget(BUSINESS, "15");
      assert.ok(budget !== null);
      await store.commit(replaceBudgetCommit({ ...budget, version: 2, total: 100_000_000, status: "PENDING" }, 1));
      const query = aBudgetQuery({ status: "PENDING", sort: "total", order: "desc" });
      assert.deepEqual(idsOf((await store.listBudgets(BUSINESS, query)).entries), ["15", "11", "100", "10", "9"]);
    });
  });
}

function totalBoundCases({ describe, it }: Suite): void {
  const bounds: readonly [query: Partial<BudgetQuery>, ids: readonly string[]][] = [
    [{ minTotal: 10, maxTotal: 10 }, ["9", "10", "100", "8", "20", "21"]],
    [{ minTotal: 10.001, maxTotal: 10.001 }, ["11"]],
    [{ minTotal: 10.0001, maxTotal: 10.0009 }, []],
    [{ minTotal: 0, maxTotal: 0 }, ["15"]],
    [{ maxTotal: -1 }, []],
    [{ minTotal: -1, maxTotal: 0.99 }, ["15", "17"]],
    [{ minTotal: 0.991, maxTotal: 0.999 }, ["16"]],
    [{ minTotal: 999.99, maxTotal: 1_000 }, ["14", "13"]],
    [{ minTotal: 1_000.01 }, ["1000"]],
    [{ minTotal: 11, maxTotal: 9 }, []],
  ];

  describe("bounds on totals are inclusive and mean the same in every currency", () => {
    for (const [query, ids] of bounds) {
      it(`finds ${ids.length} from ${query.minTotal ?? "any"} to ${query.maxTotal ?? "any"}`, async (store) => {
        await fill(store);
        const page = await store.listBudgets(BUSINESS, aBudgetQuery({ ...query, sort: "total", order: "asc" }));
        assert.deepEqual(idsOf(page.entries), ids);
        assert.equal(page.total, ids.length);
      });
    }
  });
}
