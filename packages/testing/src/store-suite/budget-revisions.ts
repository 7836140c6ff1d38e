import assert from "node:assert/strict";
import type { Budget, Store } from "@budgetkit/core/store";
import { insertBudgetCommit, replaceBudgetCommit } from "@budgetkit/core/store";
import { aBudget, anItem, FIXTURE_TIME } from "../fixtures.js";
import { outcomeOf } from "../outcome.js";
import { allAtOnce, countOf, type Suite } from "./suite.js";

const BUSINESS = "1";
const ID = "10";

/** The budget at a version and a revision, with different content for each. */
function budgetAt(version: number, revision: number, overrides: Partial<Budget> = {}): Budget {
  return aBudget({
    version,
    revision,
    revised: { at: FIXTURE_TIME + revision, by: `key:${revision}`, changes: ["items"], asked: true },
    notes: `version ${version}`,
    items: [anItem({ description: `revision ${revision}`, total: revision })],
    total: revision,
    metadata: { version },
    ...overrides,
  });
}

export function budgetRevisionCases(suite: Suite): void {
  keepingCases(suite);
  listingCases(suite);
  raceCases(suite);
}

function keepingCases({ describe, it, itDurably }: Suite): void {
  describe("the revisions of a budget", () => {
    it("an unrevised budget has one revision, the budget itself", async (store) => {
      await store.commit(insertBudgetCommit(budgetAt(1, 1)));
      assert.deepEqual(await store.findRevision(BUSINESS, ID, 1), budgetAt(1, 1));
      assert.equal(await store.findRevision(BUSINESS, ID, 2), null);
    });

    it("a greater revision keeps the replaced one, whole and as it last was", async (store) => {
      await store.commit(insertBudgetCommit(budgetAt(1, 1)));
      await store.commit(replaceBudgetCommit(budgetAt(2, 1, { status: "APPROVED" }), 1));
      await store.commit(replaceBudgetCommit(budgetAt(3, 2), 2));
      await store.commit(replaceBudgetCommit(budgetAt(4, 3), 3));
      assert.deepEqual(await store.findRevision(BUSINESS, ID, 1), budgetAt(2, 1, { status: "APPROVED" }));
      assert.deepEqual(await store.findRevision(BUSINESS, ID, 2), budgetAt(3, 2));
      assert.deepEqual(await store.findRevision(BUSINESS, ID, 3), budgetAt(4, 3));
    });

    it("replacing a budget at the same revision keeps nothing", async (store) => {
      await store.commit(insertBudgetCommit(budgetAt(1, 1)));
      for (let version = 2; version <= 5; version += 1) {
        await store.commit(replaceBudgetCommit(budgetAt(version, 1), version - 1));
      }
      assert.equal((await store.listRevisions(BUSINESS, ID, 10, 0)).total, 1);
      assert.deepEqual(await store.findRevision(BUSINESS, ID, 1), budgetAt(5, 1));
    });

    it("finds revisions by whole numbers from 1 alone", async (store) => {
      await fill(store, 2);
      for (const revision of [0, -1, 1.5, 3, Number.MAX_SAFE_INTEGER]) {
        assert.equal(await store.findRevision(BUSINESS, ID, revision), null, String(revision));
      }
    });

    it("revisions belong to one budget of one business", async (store) => {
      await store.commit(insertBudgetCommit(budgetAt(1, 1)));
      await store.commit(insertBudgetCommit(budgetAt(1, 1, { id: "11" })));
      await store.commit(insertBudgetCommit(budgetAt(1, 1, { businessId: "2", id: "12" })));
      await store.commit(replaceBudgetCommit(budgetAt(2, 2), 1));
      assert.equal(await store.findRevision(BUSINESS, "11", 2), null);
      assert.equal((await store.listRevisions(BUSINESS, "11", 10, 0)).total, 1);
      assert.equal(await store.findRevision("2", ID, 1), null);
      assert.deepEqual(await store.listRevisions("2", ID, 10, 0), { entries: [], total: 0, nextCursor: null });
    });

    itDurably("the revisions of a budget outlive the store", async (store, reopen) => {
      await fill(store, 3);
      const again = await reopen();
      assert.deepEqual(await again.findRevision(BUSINESS, ID, 2), budgetAt(2, 2));
      assert.equal((await again.listRevisions(BUSINESS, ID, 10, 0)).total, 3);
    });
  });
}

function listingCases({ describe, it }: Suite): void {
  describe("a list of revisions", () => {
    it("lists revisions newest first, the present one included, page by page", async (store) => {
      await fill(store, 5);
      const numbersOf = async (limit: number, offset: number): Promise<number[]> => {
        const { entries, total, nextCursor } = await store.listRevisions(BUSINESS, ID, limit, offset);
        assert.equal(total, 5);
        assert.equal(nextCursor, null);
        return entries.map(({ revision }) => revision);
      };
      assert.deepEqual(await numbersOf(10, 0), [5, 4, 3, 2, 1]);
      assert.deepEqual(await numbersOf(2, 0), [5, 4]);
      assert.deepEqual(await numbersOf(2, 2), [3, 2]);
      assert.deepEqual(await numbersOf(2, 4), [1]);
      assert.deepEqual(await numbersOf(1, 0), [5]);
      assert.deepEqual(await numbersOf(2, 5), []);
      assert.deepEqual(await numbersOf(2, 1_000_000), []);
    });

    it("a list of revisions has the author, time, content and totals of each", async (store) => {
      await fill(store, 2);
      const { entries } = await store.listRevisions(BUSINESS, ID, 10, 0);
      assert.deepEqual(
        entries.map(({ version, revision, revised, status, currency, subtotal, discount, tax, total }) => ({
          ...{ version, revision, revised, status, currency, subtotal, discount, tax, total },
        })),
        [2, 1].map((number) => ({
          version: number,
          revision: number,
          revised: { at: FIXTURE_TIME + number, by: `key:${number}`, changes: ["items"], asked: true },
          status: "PENDING",
          currency: "USD",
          subtotal: 10_000,
          discount: 0,
          tax: 2_100,
          total: number,
        })),
      );
    });
  });
}

function raceCases({ describe, it }: Suite): void {
  describe("revisions made at once", () => {
    it("writes one of concurrent revisions that expect the same version, and loses none", async (store) => {
      await store.commit(insertBudgetCommit(budgetAt(1, 1)));
      for (let version = 1; version <= 5; version += 1) {
        const outcomes = await allAtOnce(10, (index) =>
          outcomeOf(
            store,
            replaceBudgetCommit(budgetAt(version + 1, version + 1, { customerId: `c-${index}` }), version),
          ),
        );
        assert.equal(countOf(outcomes, "written"), 1);
        assert.equal(countOf(outcomes, "stale"), 9);
      }
      const { entries, total } = await store.listRevisions(BUSINESS, ID, 10, 0);
      assert.equal(total, 6);
      assert.deepEqual(
        entries.map(({ revision, version }) => [revision, version]),
        [6, 5, 4, 3, 2, 1].map((number) => [number, number]),
      );
    });

    it("lists revisions as of one moment while others are added", async (store) => {
      await store.commit(insertBudgetCommit(budgetAt(1, 1)));
      const lists = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          await store.commit(replaceBudgetCommit(budgetAt(index + 2, index + 2), index + 1));
          return store.listRevisions(BUSINESS, ID, 100, 0);
        }),
      );
      for (const { entries, total } of lists) {
        assert.deepEqual(
          entries.map(({ revision }) => revision),
          Array.from({ length: total }, (_, index) => total - index),
        );
      }
    });
  });
}

async function fill(store: Store, revisions: number): Promise<void> {
  await store.commit(insertBudgetCommit(budgetAt(1, 1)));
  for (let revision = 2; revision <= revisions; revision += 1) {
    assert.equal(await outcomeOf(store, replaceBudgetCommit(budgetAt(revision, revision), revision - 1)), "written");
  }
}
