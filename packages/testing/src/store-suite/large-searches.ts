import assert from "node:assert/strict";
import type { Random } from "@budgetkit/core";
import {
  type Budget,
  type BudgetQuery,
  type Customer,
  compareRecordKeys,
  compareSortKeys,
  customerSearchText,
  decodeRecordKey,
  foldForSearch,
  insertBudgetCommit,
  type Page,
  recordCommit,
  recordKeyOf,
  replaceBudgetCommit,
  type Store,
  searchTextOf,
  sortKeyOf,
} from "@budgetkit/core/store";
import { aCatalogQuery, aCustomer } from "../catalog-fixtures.js";
import { aBudget, aBudgetQuery, anItem, FIXTURE_TIME } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { rounds } from "../scale.js";
import { drawInteger, drawOne, seededRandom } from "../seeded-random.js";
import { behind } from "./budget-cursors.js";
import type { Suite } from "./suite.js";

/** More rows than a walk of a list reads at once, or a store one by one: it answers rare texts from an index. */
const ROWS = rounds({ small: 1_050, full: 1_300 });

/** Texts that the index takes at once: then it has none, some, most and all of the rows. */
const TAKEN = rounds({ small: 300, full: 500 });
const STEPS = Math.ceil(ROWS / TAKEN) + 1;

const FREQUENT = ["oak table", "Ash CHAIR", "50% off", "snake_case", "it's", "日本語", "ñandú", "a"];
const RARE = [
  "zebra",
  "Ñandú-7",
  "100% sure",
  "_x_",
  'a "quoted" word',
  "🪑🪓🪑",
  "見積書",
  "C:\\temp",
  "é\u0301e",
  "x*y?",
];
/** A store may treat a large text in another way. */
const LARGE = "long ".repeat(1_000);
const ABSENT = ["missing", "%%%", "___", '"""', "🪓🪑🪓", "AND", "NEAR(oak table)", "nul\0byte", "日本人"];

export function largeSearchCases({ describe, it }: Suite): void {
  describe("searching many records", () => {
    it("finds and counts what a comparison of every text finds, for random texts and filters", async (store) => {
      const random = seededRandom(1);
      const budgets = Array.from({ length: ROWS }, (_, index) => drawBudget(random, index));
      await insertAll(store, budgets);
      for (let step = 0; step < STEPS; step += 1) {
        for (let round = 0; round < rounds({ small: 10, full: 130 }); round += 1) {
          await compareSearch(store, budgets, drawQuery(random, budgets));
        }
        for (const text of ["oak", ...someOf([...RARE, ...ABSENT], step)]) {
          await compareSearch(store, budgets, aBudgetQuery({ search: foldForSearch(text) }));
        }
        await store.indexTexts?.(TAKEN);
      }
    });

    it("finds the new text of a budget, and no longer the former one", async (store) => {
      const random = seededRandom(2);
      const budgets = Array.from({ length: ROWS }, (_, index) => drawBudget(random, index));
      await insertAll(store, budgets);
      for (let step = 0; step < STEPS + 1; step += 1) {
        await changeSome(store, budgets, random);
        for (const text of someOf(RARE, step))
          await compareSearch(store, budgets, aBudgetQuery({ search: foldForSearch(text) }));
        await store.indexTexts?.(TAKEN);
        for (const text of someOf(RARE, step))
          await compareSearch(store, budgets, aBudgetQuery({ search: foldForSearch(text) }));
      }
    });

    it("finds customers by any part of what identifies them, by name and by creation", async (store) => {
      const random = seededRandom(3);
      const customers = Array.from({ length: ROWS }, (_, index) => drawCustomer(random, index));
      for (let from = 0; from < ROWS; from += 200) {
        await Promise.all(
          customers
            .slice(from, from + 200)
            .map((customer) => outcomeOf(store, recordCommit("customer", customer, "absent"))),
        );
      }
      for (let step = 0; step < STEPS; step += 1) {
        for (const text of someOf([...RARE, ...ABSENT, "oak", "a", "mail-17@", "%"], step)) {
          await compareCustomers(store, customers, foldForSearch(text));
        }
        await store.indexTexts?.(TAKEN);
      }
    });
  });
}

/** The texts that a step searches: in a small run each at one or two of the steps. */
function someOf(texts: readonly string[], step: number): readonly string[] {
  const every = rounds({ small: 3, full: 1 });
  return texts.filter((_, index) => index % every === step % every);
}

function drawBudget(random: Random, index: number): Budget {
  const words = [drawOne(random, FREQUENT), drawOne(random, FREQUENT)];
  if (drawInteger(random, 100) === 0) words.push(drawOne(random, RARE));
  if (drawInteger(random, 100) === 0) words.push(LARGE);
  return aBudget({
    id: String(10 + index),
    businessId: drawInteger(random, 40) === 0 ? "2" : "1",
    status: drawInteger(random, 20) === 0 ? "DELETED" : drawOne(random, ["PENDING", "PENDING", "PENDING", "APPROVED"]),
    validUntil: drawOne(random, [null, FIXTURE_TIME - 1, FIXTURE_TIME + 1]),
    customerId: drawOne(random, ["500", "501"]),
    total: drawInteger(random, 50) * 100,
    createdAt: FIXTURE_TIME + drawInteger(random, 1_000),
    notes: words.join(" "),
    items: [anItem({ description: `${drawOne(random, FREQUENT)} ${drawInteger(random, 300)}` })],
  });
}

/** Changes budgets here and there, and forty neighbours. */
async function changeSome(store: Store, budgets: Budget[], random: Random): Promise<void> {
  const first = drawInteger(random, ROWS - 40);
  const here = Array.from({ length: 40 }, (_, index) => first + index);
  const there = Array.from({ length: 20 }, () => drawInteger(random, ROWS));
  for (const index of new Set([...here, ...there])) {
    const former = budgets[index];
    if (former === undefined) continue;
    const changed = { ...former, version: former.version + 1, notes: `${drawOne(random, RARE)} ${index}` };
    assert.equal(await outcomeOf(store, replaceBudgetCommit(changed, former.version)), "written");
    budgets[index] = changed;
  }
}

function drawQuery(random: Random, budgets: readonly Budget[]): BudgetQuery {
  const [...characters] = searchTextOf(drawOne(random, budgets));
  const from = drawInteger(random, characters.length);
  const search = characters.slice(from, from + 1 + drawInteger(random, 8)).join("");
  const either = <T>(value: T): T | null => drawOne(random, [value, null, null]);
  return aBudgetQuery({
    now: FIXTURE_TIME,
    search,
    status: drawOne(random, [null, null, "PENDING", "EXPIRED", "APPROVED"] as const),
    includeDeleted: drawOne(random, [true, false]),
    customerId: either("500"),
    minTotal: either(10),
    maxTotal: either(12),
    createdAfter: either(FIXTURE_TIME + 100),
    sort: drawOne(random, ["createdAt", "createdAt", "total", "status"] as const),
    order: drawOne(random, ["asc", "desc"] as const),
    limit: 1 + drawInteger(random, 30),
    position: { kind: "offset", offset: drawOne(random, [0, 0, 3, 40]) },
  });
}

/** Compares the page with the definition of the search, and reads the next page by its cursor. */
async function compareSearch(store: Store, budgets: readonly Budget[], query: BudgetQuery): Promise<void> {
  for (const businessId of ["1", "2"]) {
    const expected = matchesOf(budgets, businessId, query);
    const offset = query.position.kind === "offset" ? query.position.offset : 0;
    const page = await store.listBudgets(businessId, query);
    const shown = expected.slice(offset, offset + query.limit);
    assert.deepEqual(idsOf(page), shown, JSON.stringify(query));
    compareTotal(page, expected.length, offset + shown.length);
    assert.equal(page.nextCursor !== null, expected.length > offset + query.limit);
    if (page.nextCursor === null) continue;
    const next = await store.listBudgets(businessId, { ...query, position: behind(page.nextCursor) });
    const from = offset + query.limit;
    assert.deepEqual(idsOf(next), expected.slice(from, from + query.limit), JSON.stringify(query));
    compareTotal(next, expected.length, 0);
  }
}

function compareTotal(page: Page<unknown>, exact: number, shown: number): void {
  if (page.totalIsLowerBound === undefined) assert.equal(page.total, exact);
  else assert.ok(page.total <= exact && page.total >= shown);
}

function matchesOf(budgets: readonly Budget[], businessId: string, query: BudgetQuery): readonly string[] {
  const { status, now, order, sort, minTotal, maxTotal, createdAfter, customerId, search } = query;
  const direction = order === "asc" ? 1 : -1;
  return budgets
    .filter((budget) => budget.businessId === businessId && textOf(budget).includes(search ?? ""))
    .map((budget) => ({ budget, key: sortKeyOf(shownAt(budget, now), sort) }))
    .filter(({ budget }) => {
      const shown = shownAt(budget, now);
      return (
        (status === null ? query.includeDeleted || shown.status !== "DELETED" : shown.status === status) &&
        (customerId === null || budget.customerId === customerId) &&
        (minTotal === null || budget.total >= minTotal * 100) &&
        (maxTotal === null || budget.total <= maxTotal * 100) &&
        (createdAfter === null || budget.createdAt >= createdAfter)
      );
    })
    .sort((a, b) => direction * compareSortKeys(a.key, b.key))
    .map(({ budget }) => budget.id);
}

/** The text of a budget, made once: the comparisons read each a hundred times. */
function textOf(budget: Budget): string {
  const text = texts.get(budget) ?? searchTextOf(budget);
  texts.set(budget, text);
  return text;
}

const texts = new WeakMap<Budget, string>();

function shownAt(budget: Budget, now: number): Budget {
  const isOverdue = budget.status === "PENDING" && budget.validUntil !== null && budget.validUntil <= now;
  return isOverdue ? { ...budget, status: "EXPIRED" } : budget;
}

function drawCustomer(random: Random, index: number): Customer {
  const name = drawInteger(random, 100) === 0 ? drawOne(random, RARE) : drawOne(random, FREQUENT);
  return aCustomer({
    id: `id-${index}`,
    name: `${name} ${index}`,
    cuit: null,
    email: `mail-${index}@example.com`,
    createdAt: FIXTURE_TIME + drawInteger(random, 500),
    deletedAt: drawInteger(random, 20) === 0 ? FIXTURE_TIME : null,
  });
}

async function compareCustomers(store: Store, customers: readonly Customer[], search: string): Promise<void> {
  for (const sort of ["createdAt", "name"] as const) {
    const expected = customers
      .filter((customer) => customer.deletedAt === null && customerSearchText(customer).includes(search))
      .map((customer) => recordKeyOf(customer, sort))
      .sort(compareRecordKeys)
      .map(({ id }) => id);
    const query = aCatalogQuery({ search, sort, order: "asc", limit: 7 });
    const page = await store.listRecords("customer", "1", query);
    assert.deepEqual(idsOf(page), expected.slice(0, 7), search);
    compareTotal(page, expected.length, page.entries.length);
    const key = page.nextCursor === null ? null : decodeRecordKey(page.nextCursor);
    assert.equal(key !== null, expected.length > 7);
    if (key === null) continue;
    const next = await store.listRecords("customer", "1", { ...query, position: { kind: "after", key } });
    assert.deepEqual(idsOf(next), expected.slice(7, 14), search);
  }
}

function idsOf(page: Page<{ readonly id: string }>): readonly string[] {
  return page.entries.map(({ id }) => id);
}

async function insertAll(store: Store, budgets: readonly Budget[]): Promise<void> {
  for (let from = 0; from < budgets.length; from += 200) {
    await Promise.all(budgets.slice(from, from + 200).map((budget) => outcomeOf(store, insertBudgetCommit(budget))));
  }
}
