import assert from "node:assert/strict";
import type { Budget, BudgetStatus } from "../../budgets/budget.js";
import { BUDGET_SORTS, type BudgetQuery, type BudgetSort, type ListPosition } from "../../budgets/budget-store.js";
import { decodeSortKey } from "../../budgets/list-order.js";
import type { Store } from "../../store.js";
import { aBudget, aBudgetQuery, FIXTURE_TIME } from "../fixtures.js";
import { allAtOnce, type Suite } from "./suite.js";

const BUSINESS = "1";
const ORDERS = ["asc", "desc"] as const;

/** A budget of the sample, told in the units that a list is asked in. */
interface Sample {
  readonly id: string;
  readonly status: BudgetStatus;
  readonly currency: string;
  readonly minor: number;
  readonly major: number; // the same amount as the wire writes it
  readonly created: number; // milliseconds after FIXTURE_TIME
  readonly customer: string;
}

function sample(
  id: string,
  status: BudgetStatus,
  [currency, minor, major]: readonly [string, number, number],
  created: number,
  customer: string,
): Sample {
  return { id, status, currency, minor, major, created, customer };
}

/** Ties of every kind: equal amounts in three currencies, equal moments, ids whose text order is not their own. */
const SAMPLES: readonly Sample[] = [
  sample("9", "PENDING", ["USD", 1_000, 10], 0, "500"),
  sample("10", "PENDING", ["JPY", 10, 10], 0, "500"),
  sample("100", "PENDING", ["BHD", 10_000, 10], 0, "cus:a"),
  sample("11", "PENDING", ["BHD", 10_001, 10.001], 1, "cus:a"),
  sample("12", "DRAFT", ["USD", 1_001, 10.01], 2, "500"),
  sample("13", "APPROVED", ["JPY", 1_000, 1_000], 2, "500"),
  sample("14", "REJECTED", ["USD", 99_999, 999.99], 3, "cus:a"),
  sample("15", "EXPIRED", ["USD", 0, 0], 4, "501"),
  sample("16", "COMPLETED", ["BHD", 999, 0.999], 5, "501"),
  sample("17", "ARCHIVED", ["USD", 99, 0.99], 5, "500"),
  sample("18", "DELETED", ["USD", 1_000, 10], 5, "500"),
  sample("19", "DELETED", ["JPY", 5, 5], 6, "cus:a"),
  sample("20", "APPROVED", ["USD", 1_000, 10], 7, "CUS:A"),
  sample("21", "APPROVED", ["USD", 1_000, 10], 7, "500"),
  sample("8", "APPROVED", ["USD", 1_000, 10], 7, "500"),
  sample("1000", "DRAFT", ["USD", Number.MAX_SAFE_INTEGER, 90_071_992_547_409.91], 8, "500"),
];

/** A filter, what it is called and which of the samples it keeps. */
interface Filter {
  readonly name: string;
  readonly query: Partial<BudgetQuery>;
  keeps(sample: Sample): boolean;
}

const isThere = (sample: Sample): boolean => sample.status !== "DELETED";
const at = (milliseconds: number): number => FIXTURE_TIME + milliseconds;

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

/** The samples from the smallest to the largest, as each order means it. */
const ASCENDING: Readonly<Record<BudgetSort, readonly string[]>> = {
  createdAt: ["9", "10", "100", "11", "12", "13", "14", "15", "16", "17", "18", "19", "8", "20", "21", "1000"],
  total: ["15", "17", "16", "19", "9", "10", "100", "18", "8", "20", "21", "11", "12", "14", "13", "1000"],
  status: ["13", "8", "20", "21", "17", "16", "18", "19", "12", "1000", "15", "9", "10", "100", "11", "14"],
};

export function budgetListCases(suite: Suite): void {
  orderCases(suite);
  pageCases(suite);
  cursorCases(suite);
  totalBoundCases(suite);
}

function orderCases({ describe, it }: Suite): void {
  for (const [sort, order] of sortings()) {
    describe(`listing budgets by ${sort}, ${order}`, () => {
      for (const { name, query, keeps } of FILTERS) {
        it(`gives ${name}, each in its place, and counts them`, async (store) => {
          await fill(store);
          const page = await store.listBudgets(BUSINESS, aBudgetQuery({ ...query, sort, order }));
          const kept = SAMPLES.filter(keeps).map(({ id }) => id);
          assert.deepEqual(
            idsOf(page.entries),
            inOrder(sort, order).filter((id) => kept.includes(id)),
          );
          assert.equal(page.total, kept.length);
        });
      }
    });
  }
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
      await store.replaceBudget({ ...budget, version: 2, total: 100_000_000, status: "PENDING" }, 1, [], null);
      const query = aBudgetQuery({ status: "PENDING", sort: "total", order: "desc" });
      assert.deepEqual(idsOf((await store.listBudgets(BUSINESS, query)).entries), ["15", "11", "100", "10", "9"]);
    });
  });
}

function cursorCases({ describe, it }: Suite): void {
  describe("pages of budgets by cursor", () => {
    for (const [sort, order] of sortings()) {
      for (const limit of [1, 3, 8]) {
        it(`visit each budget once, ${limit} at a time, by ${sort}, ${order}`, async (store) => {
          await fill(store);
          const query = aBudgetQuery({ sort, order, limit, includeDeleted: true });
          assert.deepEqual(await walk(store, query), inOrder(sort, order));
        });
      }

      it(`keep to the filter, by ${sort}, ${order}`, async (store) => {
        await fill(store);
        const expected = inOrder(sort, order).filter((id) => ["8", "13", "20", "21"].includes(id));
        assert.deepEqual(await walk(store, aBudgetQuery({ sort, order, limit: 1, status: "APPROVED" })), expected);
      });
    }

    it("end with no cursor, also when the last page is full", async (store) => {
      await fill(store);
      const full = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 14 }));
      const short = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 13 }));
      assert.equal(full.nextCursor, null);
      assert.notEqual(short.nextCursor, null);
    });

    it("count the whole list, not what is left of it", async (store) => {
      await fill(store);
      const first = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 5 }));
      const second = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 5, position: behind(first.nextCursor) }));
      assert.equal(second.total, 14);
    });

    it("may begin behind a page that was asked for by number", async (store) => {
      await fill(store);
      const query = aBudgetQuery({ limit: 5, position: { kind: "offset", offset: 5 } });
      const second = await store.listBudgets(BUSINESS, query);
      const third = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 5, position: behind(second.nextCursor) }));
      const listed = inOrder("createdAt", "desc").filter((id) => id !== "18" && id !== "19");
      assert.deepEqual(idsOf(third.entries), listed.slice(10));
    });

    it("neither repeat nor skip a budget when others are added in front", async (store) => {
      await fill(store);
      const first = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 5 }));
      await allAtOnce(3, (index) =>
        store.insertBudget(aBudget({ id: String(2_000 + index), createdAt: at(50 + index) }), [], null),
      );
      const rest = await walk(store, aBudgetQuery({ limit: 5, position: behind(first.nextCursor) }));
      const listed = inOrder("createdAt", "desc").filter((id) => id !== "18" && id !== "19");
      assert.deepEqual([...idsOf(first.entries), ...rest], listed);
    });

    it("go on behind a budget that has been deleted meanwhile", async (store) => {
      await fill(store);
      const first = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 5 }));
      const last = first.entries.at(-1);
      assert.ok(last !== undefined);
      const deletion = { deletedAt: at(99), from: last.status };
      await store.replaceBudget({ ...last, version: 2, status: "DELETED", deletion }, 1, [], null);
      const rest = await walk(store, aBudgetQuery({ limit: 5, position: behind(first.nextCursor) }));
      const listed = inOrder("createdAt", "desc").filter((id) => id !== "18" && id !== "19");
      assert.deepEqual(rest, listed.slice(5));
    });

    it("never lead into another business", async (store) => {
      await fill(store);
      await store.insertBudget(aBudget({ businessId: "2", id: "3000", createdAt: at(-1) }), [], null);
      const first = await store.listBudgets(BUSINESS, aBudgetQuery({ limit: 5 }));
      const rest = await walk(store, aBudgetQuery({ limit: 5, position: behind(first.nextCursor) }));
      assert.ok(!rest.includes("3000"));
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

/** Adds the samples in an order that is none of those that lists have. */
async function fill(store: Store): Promise<void> {
  const shuffled = [...SAMPLES.filter((_, index) => index % 3 === 1), ...SAMPLES.filter((_, index) => index % 3 !== 1)];
  await Promise.all(shuffled.map((one) => store.insertBudget(budgetOf(one), [], null)));
}

function budgetOf({ id, status, currency, minor, created, customer }: Sample): Budget {
  const deletion = status === "DELETED" ? ({ deletedAt: at(60), from: "PENDING" } as const) : null;
  return aBudget({ id, status, currency, total: minor, createdAt: at(created), customerId: customer, deletion });
}

function sortings(): [sort: BudgetSort, order: "asc" | "desc"][] {
  return BUDGET_SORTS.flatMap((sort) => ORDERS.map((order): [BudgetSort, "asc" | "desc"] => [sort, order]));
}

function inOrder(sort: BudgetSort, order: "asc" | "desc"): readonly string[] {
  return order === "asc" ? ASCENDING[sort] : [...ASCENDING[sort]].reverse();
}

/** Follows the cursors from the page that `query` asks for to the end. */
async function walk(store: Store, query: BudgetQuery): Promise<string[]> {
  const seen: string[] = [];
  let position = query.position;
  for (let pages = 0; pages <= SAMPLES.length; pages += 1) {
    const page = await store.listBudgets(BUSINESS, { ...query, position });
    assert.ok(page.entries.length <= query.limit);
    seen.push(...idsOf(page.entries));
    if (page.nextCursor === null) return seen;
    position = behind(page.nextCursor);
  }
  throw new Error("the cursors do not come to an end");
}

function behind(cursor: string | null): ListPosition {
  const key = decodeSortKey(cursor ?? "");
  assert.ok(key !== null, `not a cursor: ${cursor}`);
  return { kind: "after", key };
}

function idsOf(budgets: readonly Budget[]): string[] {
  return budgets.map((budget) => budget.id);
}
